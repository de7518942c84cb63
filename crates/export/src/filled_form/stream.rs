//! Decompresses cross-reference and object streams: takes a file's bytes, the start of the data and the dictionary,
//! gives plain bytes. An incomplete stream is an error. Work is bounded over all streams of a file.

use flate2::{Decompress, FlushDecompress, Status};

use super::errors::{damaged, too_large};
use super::object::{PdfDict, PdfObject, is_space};
use moldloft_base::finding::Finding;

/// Largest decompressed size of all streams, in bytes.
const MAX_UNPACKED: usize = 192 * 1024 * 1024;
/// Largest decompressed size of one stream, in bytes.
const MAX_STREAM: usize = 32 * 1024 * 1024;
/// Largest compressed size read in all, in bytes.
const MAX_PACKED: usize = 192 * 1024 * 1024;

#[derive(Debug)]
pub struct UnpackBudget {
    unpacked: usize,
    packed: usize,
}

impl Default for UnpackBudget {
    fn default() -> Self {
        Self { unpacked: MAX_UNPACKED, packed: MAX_PACKED }
    }
}

impl UnpackBudget {
    pub fn is_spent(&self) -> bool {
        self.unpacked == 0 || self.packed == 0
    }

    fn take(left: &mut usize, bytes: usize) -> Result<(), Finding> {
        match left.checked_sub(bytes) {
            Some(rest) if rest > 0 => *left = rest,
            _ => {
                *left = 0;
                return Err(too_large());
            }
        }
        Ok(())
    }
}

/// The plain bytes of the stream with its keyword `stream` at `at`.
///
/// # Errors
/// `form-damaged`, `form-too-large`.
pub fn unpack(bytes: &[u8], at: usize, dict: &PdfDict, budget: &mut UnpackBudget) -> Result<Vec<u8>, Finding> {
    let start = data_start(bytes, at);
    let data = bytes.get(start..).unwrap_or_default();
    let is_flate = |object: &PdfObject| matches!(object, PdfObject::Name(name) if **name == *b"FlateDecode");
    let plain = match dict.get("Filter") {
        None => {
            let data = &data[..stream_length(bytes, start, dict).ok_or_else(|| damaged("missing end of a stream"))?];
            if data.len() > MAX_STREAM {
                return Err(too_large());
            }
            UnpackBudget::take(&mut budget.unpacked, data.len())?;
            data.to_vec()
        }
        Some(filter) if is_flate(filter) => inflate(data, budget)?,
        Some(PdfObject::List(list)) if list.len() == 1 && is_flate(&list[0]) => inflate(data, budget)?,
        Some(_) => return Err(damaged("unknown compression of objects")),
    };
    let parameters = match dict.get("DecodeParms") {
        Some(PdfObject::Dict(parameters)) => Some(parameters),
        Some(PdfObject::List(list)) => match list.first() {
            Some(PdfObject::Dict(parameters)) => Some(parameters),
            _ => None,
        },
        _ => None,
    };
    let number = |key: &str| match parameters.and_then(|parameters| parameters.get(key)) {
        Some(PdfObject::Number(number)) => usize::try_from(*number).unwrap_or(0),
        _ => 1,
    };
    match number("Predictor") {
        0 | 1 => Ok(plain),
        10..=15 => undo_predictor(&plain, number("Columns")).ok_or_else(|| damaged("cannot decompress a stream")),
        _ => Err(damaged("unknown compression of objects")),
    }
}

/// The position after the line end that follows `stream`.
fn data_start(bytes: &[u8], at: usize) -> usize {
    match (bytes.get(at), bytes.get(at + 1)) {
        (Some(b'\r'), Some(b'\n')) => at + 2,
        (Some(b'\r' | b'\n'), _) => at + 1,
        _ => at,
    }
}

/// Length of the data: as stated if correct, else up to the next `endstream`.
pub fn stream_length(bytes: &[u8], start: usize, dict: &PdfDict) -> Option<usize> {
    if let Some(PdfObject::Number(length)) = dict.get("Length")
        && let Ok(length) = usize::try_from(*length)
        && let Some(rest) = start.checked_add(length).and_then(|end| bytes.get(end..))
    {
        let spaces = rest.iter().take(4).take_while(|&&byte| is_space(byte)).count();
        if rest[spaces..].starts_with(b"endstream") {
            return Some(length);
        }
    }
    bytes.get(start..)?.windows(9).position(|window| window == b"endstream")
}

/// Where a stream ends, from the word `stream` on; `None` where that is doubtful: its length is wrong, or objects would be within.
pub fn stream_end(bytes: &[u8], at: usize, dict: &PdfDict) -> Option<usize> {
    let start = data_start(bytes, at);
    let length = stream_length(bytes, start, dict)?;
    let data = &bytes[start..start + length];
    match dict.get("Length") {
        Some(PdfObject::Number(stated)) => {
            usize::try_from(*stated).is_ok_and(|stated| stated == length).then_some(start + length)
        }
        _ => (!data.windows(6).any(|window| window == b" 0 obj")).then_some(start + length),
    }
}

/// Decompresses zlib data; the checksum must be correct.
fn inflate(data: &[u8], budget: &mut UnpackBudget) -> Result<Vec<u8>, Finding> {
    let mut unpacker = Decompress::new(true);
    let (mut plain, mut piece) = (Vec::new(), vec![0_u8; 64 * 1024]);
    loop {
        let (read, written) = (unpacker.total_in() as usize, unpacker.total_out());
        // In pieces, so that work is counted as it is done.
        let rest = data.get(read..).unwrap_or_default();
        let rest = &rest[..rest.len().min(64 * 1024)];
        let status = unpacker.decompress(rest, &mut piece, FlushDecompress::None);
        let more = (unpacker.total_out() - written) as usize;
        let consumed = unpacker.total_in() as usize - read;
        UnpackBudget::take(&mut budget.unpacked, more)?;
        UnpackBudget::take(&mut budget.packed, consumed)?;
        if plain.len() + more > MAX_STREAM {
            return Err(too_large());
        }
        plain.extend_from_slice(&piece[..more]);
        match status {
            Ok(Status::StreamEnd) => return Ok(plain),
            Ok(_) if more > 0 || consumed > 0 => {}
            _ => return Err(damaged("cannot decompress a stream")),
        }
    }
}

/// Undoes PNG predictors; each row begins with its filter type.
fn undo_predictor(packed: &[u8], columns: usize) -> Option<Vec<u8>> {
    if columns == 0 || columns > 64 {
        return None;
    }
    let mut above = vec![0_u8; columns];
    let mut plain = Vec::with_capacity(packed.len());
    for row in packed.chunks(columns + 1) {
        let (filter, row) = row.split_first().filter(|(_, row)| row.len() == columns)?;
        let mut now = vec![0_u8; columns];
        for at in 0..columns {
            let left = if at > 0 { now[at - 1] } else { 0 };
            let corner = if at > 0 { above[at - 1] } else { 0 };
            let guess = match filter {
                0 => 0,
                1 => left,
                2 => above[at],
                3 => ((u16::from(left) + u16::from(above[at])) / 2) as u8,
                4 => paeth(left, above[at], corner),
                _ => return None,
            };
            now[at] = row[at].wrapping_add(guess);
        }
        plain.extend_from_slice(&now);
        above = now;
    }
    Some(plain)
}

fn paeth(left: u8, above: u8, corner: u8) -> u8 {
    let guess = i16::from(left) + i16::from(above) - i16::from(corner);
    let far = |byte: u8| (guess - i16::from(byte)).abs();
    if far(left) <= far(above) && far(left) <= far(corner) {
        left
    } else if far(above) <= far(corner) {
        above
    } else {
        corner
    }
}
