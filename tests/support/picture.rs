//! Pictures of pages compared in blocks of 2 and of 6 mm by their mean grey, 0 to 255.

use std::fs;
use std::path::{Path, PathBuf};

use resvg::tiny_skia::{IntSize, Pixmap};

use super::expected::blessing;

/// Sides of blocks in mm, and how many fine ones make a coarse one's.
const FINE: f32 = 2.0;
const COARSE: usize = 3;
/// The most that the mean grey of a coarse and of a fine block may differ from a kept picture's: what machines round differently, never a letter.
const SAME_LOOK: (f32, f32) = (1.5, 6.0);

/// Grey values, row by row.
pub struct Grey {
    pub width: usize,
    pub data: Vec<u8>,
    dpi: f32,
}

impl Grey {
    pub fn read(bytes: &[u8], dpi: f32) -> Self {
        let map = Pixmap::decode_png(bytes).expect("a picture");
        Self::of(&map, (0, 0), (map.width() as usize, map.height() as usize), dpi)
    }

    /// Part of a picture, on white.
    pub fn of(map: &Pixmap, (left, top): (usize, usize), (width, height): (usize, usize), dpi: f32) -> Self {
        let wide = map.width() as usize;
        let mut data = Vec::with_capacity(width * height);
        for y in top..top + height {
            let start = (y * wide + left) * 4;
            for pixel in map.data()[start..start + width * 4].chunks_exact(4) {
                let sum = u32::from(pixel[0]) * 54 + u32::from(pixel[1]) * 183 + u32::from(pixel[2]) * 19;
                data.push((sum / 256 + 255 - u32::from(pixel[3])) as u8);
            }
        }
        Self { width, data, dpi }
    }

    /// A picture of it, one byte a pixel.
    #[allow(dead_code, reason = "each test program uses a part")]
    pub fn png(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let mut encoder = png::Encoder::new(&mut out, self.width as u32, self.height() as u32);
        encoder.set_color(png::ColorType::Grayscale);
        encoder.set_compression(png::Compression::High);
        encoder.write_header().and_then(|mut writer| writer.write_image_data(&self.data)).expect("written");
        out
    }

    fn height(&self) -> usize {
        self.data.len() / self.width
    }

    /// Mean greys of the fine blocks that lie wholly within this width and height, row by row, and how many a row has.
    fn blocks(&self, (width, height): (usize, usize)) -> (Vec<f32>, usize) {
        let side = f64::from(FINE * self.dpi / 25.4);
        let fitting = |pixels: usize| ((pixels as f64 + 0.5) / side) as usize;
        let (across, down) = (fitting(width), fitting(height));
        let edge = |n: usize| (n as f64 * side).round() as usize;
        let mut sums = vec![0_u64; across * down];
        for row in 0..down {
            for y in edge(row)..edge(row + 1) {
                let line = &self.data[y * self.width..(y + 1) * self.width];
                for column in 0..across {
                    let part = &line[edge(column)..edge(column + 1)];
                    sums[row * across + column] += part.iter().map(|&grey| u64::from(grey)).sum::<u64>();
                }
            }
        }
        let area = |at: usize| {
            let (row, column) = (at / across, at % across);
            ((edge(row + 1) - edge(row)) * (edge(column + 1) - edge(column))) as f32
        };
        (sums.iter().enumerate().map(|(at, &sum)| sum as f32 / area(at)).collect(), across)
    }
}

/// The largest differences of coarse and of fine blocks: by how much, and where in mm.
#[derive(Clone, Copy, Debug, Default)]
pub struct Difference {
    pub coarse: (f32, f32, f32),
    pub fine: (f32, f32, f32),
}

impl Difference {
    pub fn between(expected: &Grey, actual: &Grey) -> Self {
        let size = (expected.width.min(actual.width), expected.height().min(actual.height()));
        let ((a, across), (b, _)) = (expected.blocks(size), actual.blocks(size));
        let down = a.len() / across;
        let mut found = Self::default();
        for (at, (a, b)) in a.iter().zip(&b).enumerate() {
            if (a - b).abs() > found.fine.0 {
                found.fine = ((a - b).abs(), (at % across) as f32 * FINE, (at / across) as f32 * FINE);
            }
        }
        for row in 0..down / COARSE {
            for column in 0..across / COARSE {
                let at = |n: usize| (row * COARSE + n / COARSE) * across + column * COARSE + n % COARSE;
                let off: f32 = (0..COARSE * COARSE).map(|n| a[at(n)] - b[at(n)]).sum::<f32>() / 9.0;
                if off.abs() > found.coarse.0 {
                    let side = FINE * COARSE as f32;
                    found.coarse = (off.abs(), column as f32 * side, row as f32 * side);
                }
            }
        }
        found
    }

    pub fn is_within(&self, (coarse, fine): (f32, f32)) -> bool {
        self.coarse.0 <= coarse && self.fine.0 <= fine
    }
}

/// Writes expected | difference | actual, red where the page has too little ink and blue where it has too much.
pub fn keep(folder: &str, name: &str, expected: &Grey, actual: &Grey) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
    fs::create_dir_all(&folder).expect("a folder");
    let width = expected.width.min(actual.width);
    let height = expected.height().min(actual.height());
    let mut data = Vec::with_capacity(width * height * 12);
    for y in 0..height {
        let a = &expected.data[y * expected.width..][..width];
        let b = &actual.data[y * actual.width..][..width];
        data.extend(a.iter().flat_map(|&a| [a, a, a, 255]));
        data.extend(
            a.iter()
                .zip(b)
                .flat_map(|(&a, &b)| [255 - a.saturating_sub(b), 255 - a.abs_diff(b), 255 - b.saturating_sub(a), 255]),
        );
        data.extend(b.iter().flat_map(|&b| [b, b, b, 255]));
    }
    let size = IntSize::from_wh(width as u32 * 3, height as u32).expect("a size");
    let path = folder.join(format!("{}.png", name.replace([' ', ','], "-")));
    Pixmap::from_vec(data, size).expect("a picture").save_png(&path).expect("written");
    path
}

pub fn looks_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/looks")
}

/// Holds a picture against the one that is kept under this name, or keeps it if expectations are being accepted.
pub fn kept_look(name: &str, found: &Grey) -> Result<(), String> {
    let path = looks_folder().join(format!("{name}.png"));
    let kept = fs::read(&path).ok().map(|bytes| Grey::read(&bytes, found.dpi));
    let fault = match &kept {
        None => "missing".to_owned(),
        Some(kept) if (kept.width, kept.data.len()) != (found.width, found.data.len()) => "of another size".to_owned(),
        Some(kept) => {
            let difference = Difference::between(kept, found);
            if difference.is_within(SAME_LOOK) {
                return Ok(());
            }
            format!("{difference:?}, see {}", keep("looks", name, kept, found).display())
        }
    };
    if !blessing() {
        return Err(format!("{name}: {fault}"));
    }
    fs::write(path, found.png()).map_err(|error| error.to_string())
}
