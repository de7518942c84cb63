//! What the fuzz target `printers` and the corpus test do with an input: read it as the file of a player's printers, correct a page by each, and
//! write them again. Bytes that are no text are replaced.

use moldloft::print::{Printer, Printers};
use moldloft::sheet::{DuplexEdge, NUp, PageSetup, Paper};

/// Runs one input.
///
/// # Panics
/// When a promise about printers is broken.
pub fn run(data: &[u8]) {
    let mut printers = match Printers::parse(&String::from_utf8_lossy(data)) {
        Ok(printers) => printers,
        Err(why) => return assert!(!why.is_empty()),
    };
    let again = Printers::parse(&printers.to_text()).expect("what is written is read");
    assert_eq!(again, printers, "what is written is what was read");
    for printer in &printers.printers {
        corrected(printer);
        assert!(printers.require(&printer.name).is_ok());
    }
    let many = printers.printers.len();
    if printers.insert(Printer { name: "Study".into(), ..Printer::default() }).is_ok() {
        assert!(printers.printers.len() <= many.min(99) + 1);
        assert!(printers.remove(" sTUDY").is_ok() && printers.find("Study").is_none());
    }
}

fn corrected(printer: &Printer) {
    assert!(printer.summary().contains("across"));
    let _ = printer.has_scale_error();
    for (paper, turn, up) in [(Paper::A4, DuplexEdge::Long, NUp::One), (Paper::A5, DuplexEdge::Short, NUp::Two)] {
        let mut page_setup = PageSetup::from(paper).turn(turn).up(up);
        printer.apply_to(&mut page_setup);
        let (across, down) = page_setup.printer_scale.expect("a correction").scale;
        assert!([across, down].iter().all(|scale| (0.79..=1.26).contains(scale)), "{across} {down}");
        assert!(page_setup.offset.0.is_finite() && page_setup.offset.1.is_finite());
        let placement = page_setup.placement((200.0, 280.0));
        assert!(placement.scale > 0.0 && placement.scale <= 1.0, "{placement:?}");
        assert!(
            page_setup.printable_areas().iter().all(|printable| printable.area.w >= 0.0 && printable.area.h >= 0.0)
        );
    }
}
