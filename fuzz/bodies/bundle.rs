//! What the fuzz target `bundle` and the corpus test do with an input: read it as a bundle (a zip, or a text); and pack a bundle whose manifest and files
//! are the input's own, spoil a byte of it, and read that. What is read has good names, and the same bytes when it is written twice.

use moldloft::exchange::bundle::{
    BundleFile, BundleFileKind, BundleManifest, MANIFEST_FILE, SharedBundle, bundle_of_text, read_bundle,
    review_bundle, text_of_bundle, write_bundle,
};

fn check(bundle: &SharedBundle) {
    let bundle = &SharedBundle { left_aside: Vec::new(), ..bundle.clone() };
    for file in &bundle.files {
        assert!(BundleFileKind::of(&file.path).is_some() && file.path != MANIFEST_FILE, "{}", file.path);
        assert!(!file.path.split('/').any(|part| part == ".." || part.is_empty()), "{}", file.path);
    }
    let bytes = write_bundle(bundle).expect("what was read can be written");
    assert_eq!(write_bundle(bundle).expect("twice"), bytes);
    assert_eq!(&read_bundle(&bytes).expect("what was written is read"), bundle);
    if bundle.files.len() <= 4 {
        let review = review_bundle(bundle);
        assert!(review.entries.len() >= bundle.files.len() || !review.findings.is_empty());
    }
}

/// Runs one input.
///
/// # Panics
/// When a promise about bundles is broken.
pub fn run(data: &[u8]) {
    if let Ok(bundle) = read_bundle(data) {
        check(&bundle);
    }
    let text = String::from_utf8_lossy(data);
    if let Ok(bundle) = bundle_of_text(&text) {
        check(&bundle);
    }
    let (name, rest) = text.split_once('\n').unwrap_or(("designs/wars-of-honor/x.toml", &text));
    let manifest = BundleManifest {
        format: "moldloft-bundle".to_owned(),
        version: 1,
        name: rest.chars().take(100).collect(),
        ..BundleManifest::default()
    };
    let files = vec![BundleFile { path: name.to_owned(), bytes: rest.into() }];
    let bundle = SharedBundle { manifest, files, ..SharedBundle::default() };
    let Ok(mut packed) = write_bundle(&bundle) else { return };
    if let Ok(read) = read_bundle(&packed) {
        // A name that another system wrote is read as a bundle has it.
        let is_same = read.files.iter().zip(&bundle.files).all(|(one, two)| one.bytes == two.bytes);
        assert!(is_same && read.manifest == bundle.manifest);
        check(&read);
        if let Ok(text) = text_of_bundle(&read) {
            let again = bundle_of_text(&format!("> {}", text.replace('\n', "\n> "))).expect("a text");
            assert!(again.files == read.files && again.manifest == read.manifest);
        }
    }
    if let (Some(first), Some(second)) = (data.first(), data.get(1)) {
        let place = (usize::from(*first) * 256 + usize::from(*second)) % packed.len();
        packed[place] ^= 0x55;
        if let Ok(bundle) = read_bundle(&packed) {
            check(&bundle);
        }
    }
}
