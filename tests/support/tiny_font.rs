//! A TrueType font of a few squares, made here: nothing of anyone's is copied.

type Table = (&'static [u8; 4], Vec<u8>);

/// A font of 2000 units an em with a square of 1600 units for each character, advance 2000.
pub fn font(characters: &[char]) -> Vec<u8> {
    let square: &[i16] = &[1, 200, 0, 1800, 1600, 3, 0, 0x0101, 0x0101, 200, 1600, 0, -1600, 0, 0, 1600, 0];
    written(characters, &vec![words(square); characters.len() + 1])
}

/// A font whose first letter is made of itself.
pub fn font_made_of_itself() -> Vec<u8> {
    // Arguments are words and offsets; the part is glyph 1.
    let own: &[i16] = &[-1, 0, 0, 100, 100, 0x0003, 1, 0, 0];
    written(&['א'], &[Vec::new(), words(own)])
}

fn words(numbers: &[i16]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_be_bytes()).collect()
}

fn written(characters: &[char], glyphs: &[Vec<u8>]) -> Vec<u8> {
    let count = glyphs.len() as i16;
    let mut head = words(&[1, 0, 1, 0, 0, 0, 0x5f0f, 0x3cf5, 0, 2000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2000, 2000]);
    head.extend(words(&[0, 8, 2, 1, 0]));
    let hhea = words(&[1, 0, 1600, -400, 0, 2000, 0, 0, 2000, 1, 0, 0, 0, 0, 0, 0, 0, count]);
    let hmtx = words(&[2000, 200].repeat(glyphs.len()));
    let maxp = words(&[1, 0, count, 4, 1, 4, 1, 2, 0, 0, 0, 0, 0, 0, 1, 1]);
    let (mut glyf, mut loca) = (Vec::new(), vec![0; 4]);
    for glyph in glyphs {
        glyf.extend(glyph);
        glyf.resize(glyf.len().next_multiple_of(4), 0);
        loca.extend((glyf.len() as u32).to_be_bytes());
    }
    let mut pairs: Vec<(u32, u32)> = characters.iter().zip(1..).map(|(&c, glyph)| (c as u32, glyph)).collect();
    pairs.sort_unstable();
    let mut cmap = words(&[0, 1, 3, 10, 0, 12, 12, 0]);
    let groups = pairs.len() as u32;
    cmap.extend([16 + 12 * groups, 0, groups].iter().flat_map(|number| number.to_be_bytes()));
    cmap.extend(pairs.iter().flat_map(|&(c, glyph)| [c, c, glyph]).flat_map(u32::to_be_bytes));
    let label = b"Tiny-Regular";
    let mut name = words(&[0, 1, 18, 1, 0, 0, 6, label.len() as i16, 0]);
    name.extend(label);
    let post = words(&[3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    file(&[
        (b"cmap", cmap),
        (b"glyf", glyf),
        (b"head", head),
        (b"hhea", hhea),
        (b"hmtx", hmtx),
        (b"loca", loca),
        (b"maxp", maxp),
        (b"name", name),
        (b"post", post),
    ])
}

fn file(tables: &[Table]) -> Vec<u8> {
    let mut out = words(&[1, 0, tables.len() as i16, 128, 3, 16]);
    let mut at = 12 + 16 * tables.len();
    for (tag, data) in tables {
        out.extend(*tag);
        out.extend([0, at as u32, data.len() as u32].iter().flat_map(|number| number.to_be_bytes()));
        at += data.len().next_multiple_of(4);
    }
    for (_, data) in tables {
        out.extend(data);
        out.resize(out.len().next_multiple_of(4), 0);
    }
    out
}
