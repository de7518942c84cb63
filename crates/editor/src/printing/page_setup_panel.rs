//! The print room's page setup: paper, margins, sheets per page, printer.

use egui::{ComboBox, DragValue, Ui};

use crate::language::say;
use crate::panels::dialog_parts::{form_row, labelled_number};
use crate::printing::PrintSettings;
use crate::typed_number::parse_decimal;
use crate::widgets::choice_list;
use moldloft_library::print::Printers;
use moldloft_sheet::sheet::{Margins, NUp, NUpOrder, PageSetup, Paper};

/// In mm.
const CUSTOM_PAPER: (f32, f32) = (200.0, 300.0);

pub fn show(ui: &mut Ui, setup: &mut PageSetup) {
    ui.label(say("Paper"));
    ui.vertical(|ui| {
        let own = matches!(setup.paper, Paper::Custom(_));
        ui.horizontal_wrapped(|ui| {
            for paper in Paper::ALL {
                ui.radio_value(&mut setup.paper, paper, paper.name());
            }
            if ui.radio(own, say("custom size")).clicked() && !own {
                setup.paper = Paper::from_mm(CUSTOM_PAPER.0, CUSTOM_PAPER.1).unwrap_or_default();
            }
        });
        if own {
            ui.horizontal(|ui| {
                let (mut width, mut height) = setup.paper.size();
                for (mm, name) in [(&mut width, "mm wide"), (&mut height, "mm high")] {
                    let field = DragValue::new(mm).range(Paper::SIDE_LIMITS.0..=Paper::SIDE_LIMITS.1).max_decimals(1);
                    labelled_number(ui, field.custom_parser(parse_decimal), name);
                }
                if (width, height) != setup.paper.size()
                    && let Ok(paper) = Paper::from_mm(width, height)
                {
                    setup.paper = paper;
                }
            });
        }
    });
    ui.end_row();
    ui.label(say("Margins"));
    ui.horizontal(|ui| {
        let mut own = setup.margins.is_some();
        if ui.checkbox(&mut own, say("custom margins")).changed() {
            setup.margins = own.then(|| PageSetup::default_margins(setup.paper));
        }
        match &mut setup.margins {
            Some(margins) if margins.is_uniform() => {
                let mut mm = margins.top;
                let field = DragValue::new(&mut mm).range(0.0..=Margins::MAX).speed(0.1).max_decimals(1);
                if labelled_number(ui, field.custom_parser(parse_decimal), "mm on every edge").changed() {
                    *margins = Margins::all(mm);
                }
            }
            Some(margins) => {
                let Margins { top, right, bottom, left } = margins;
                for (mm, name) in [(top, "mm top"), (right, "right"), (bottom, "bottom"), (left, "left")] {
                    let field = DragValue::new(mm).range(0.0..=Margins::MAX).speed(0.1).max_decimals(1);
                    labelled_number(ui, field.custom_parser(parse_decimal), name);
                }
            }
            None => {}
        }
    });
    ui.end_row();
    form_row(ui, "Sheets per page", |ui| {
        for (up, name) in
            [(NUp::Auto, "automatic"), (NUp::One, "1 sheet"), (NUp::Two, "2 sheets"), (NUp::Four, "4 sheets")]
        {
            ui.radio_value(&mut setup.up, up, say(name));
        }
    });
    if setup.is_n_up() {
        form_row(ui, "Order", |ui| {
            ui.radio_value(&mut setup.sequence, NUpOrder::Reading, say("reading order"));
            ui.radio_value(&mut setup.sequence, NUpOrder::Stacks, say("for cutting the whole stack"));
            ui.checkbox(&mut setup.two_sided, say("double-sided"));
        });
    }
}

/// Which of the calibrated printers, and what is known of it.
pub fn printer_input(ui: &mut Ui, options: &mut PrintSettings, printers: &Printers) {
    const ANY: &str = "any";
    let shown = options.printer.clone().unwrap_or_else(|| ANY.to_owned());
    let mut chosen = None;
    ui.vertical(|ui| {
        let list = ComboBox::from_id_salt("printer").selected_text(say(&shown));
        let all = printers.printers.iter().map(|printer| (Some(&*printer.name), &*printer.name));
        let all = std::iter::once((None, ANY)).chain(all);
        chosen = choice_list(ui, list, &format!("Printer: {shown}"), options.printer.as_deref(), all);
        if let Some(printer) = options.printer.as_deref().and_then(|name| printers.find(name)) {
            ui.add(egui::Label::new(say(printer.summary())).wrap());
        }
    });
    if let Some(name) = chosen.map(|name| name.map(str::to_owned)) {
        options.select_printer(name.and_then(|name| printers.find(&name)));
    }
}
