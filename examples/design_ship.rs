//! Designs a ship in ten lines, and prints its control sheet: `cargo run --example design_ship [OUTPUT.pdf]`.

use moldloft::{Error, ExportOptions, PrintOptions, Workspace};

fn main() -> Result<(), Error> {
    let workspace = Workspace::built_in();
    let mut design = workspace.new_design("battleships-1890s", "Grebe")?;
    design.set_notes("A coast defence ship.")?.set_field("ram", true)?;
    design.add_fit_with("main-gun", "fore", 1, &[("guns", 2.into())])?;
    for mount in ["port-fore", "starboard-fore"] {
        design.add_fit_with("secondary-gun", mount, 1, &[("guns", 2.into())])?;
    }
    design.add_fit("torpedo-tube", "bow", 1)?;
    let ship = workspace.check(&design)?;
    ship.findings().iter().for_each(|finding| eprintln!("{finding}"));
    println!("{}\n{}: {} points", design.to_toml(), ship.class(), ship.points().unwrap_or(0));

    let output = std::env::args_os().nth(1).unwrap_or_else(|| "grebe.pdf".into());
    for file in workspace.print(&[ship], &PrintOptions::default())?.save(output, &ExportOptions::default())? {
        println!("{}", file.display());
    }
    Ok(())
}
