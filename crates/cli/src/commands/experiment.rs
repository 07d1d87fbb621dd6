//! `indistinct experiment`.

use indistinct::experiment::{self, Effort, Options, REGISTRY, Reproduction};

use crate::Verdict;
use crate::args::{Experiment, Format, Global};
use crate::failure::{Failure, usage};
use crate::progress::Terminal;
use crate::render::{self, Align};

pub fn run(global: &Global, asked: &Experiment) -> Result<Verdict, Failure> {
    if asked.name == "list" {
        list(global);
        return Ok(Verdict::Done);
    }
    let Some(output) = &asked.output else {
        return Err(Failure::Usage {
            code: usage::NO_OUTPUT.code,
            message: "it is not said where to write what comes out".to_owned(),
            help: "give a directory with -o DIR".to_owned(),
        });
    };
    let options = Options {
        data: asked.data.clone(),
        effort: if asked.quick { Effort::Quick } else { Effort::Full },
        seed: asked.seed,
    };
    let observer = Terminal::new(global);
    let (all, files) = experiment::to_files(&asked.name, &options, output, &observer)?;
    drop(observer);
    match global.format {
        Format::Json => render::json(&serde_json::json!({ "experiments": all, "files": files })),
        Format::Text => {
            all.iter().for_each(print);
            println!("\nWrote {} files; read {}.", files.len(), files[0].display());
        }
    }
    Ok(Verdict::Done)
}

fn list(global: &Global) {
    match global.format {
        Format::Json => {
            let one = |it: &&experiment::Experiment| {
                serde_json::json!({
                    "name": it.name,
                    "title": it.title,
                    "source": it.source,
                    "needs": it.needs.iter().map(|table| table.name).collect::<Vec<_>>(),
                })
            };
            render::json(&REGISTRY.iter().map(one).collect::<Vec<_>>());
        }
        Format::Text => {
            let row = |it: &&experiment::Experiment| {
                let needs: Vec<&str> = it.needs.iter().map(|table| table.name).collect();
                let needs = match needs.is_empty() {
                    true => "nothing: its table is made up".to_owned(),
                    false => needs.join(", "),
                };
                vec![it.name.to_owned(), it.title.to_owned(), needs]
            };
            let header =
                [("name", Align::Left), ("figure", Align::Left), ("table needed", Align::Left)];
            render::table(&header, REGISTRY.iter().map(row).collect());
        }
    }
}

fn print(one: &Reproduction) {
    render::heading(&format!("{}: {}", one.name, one.title));
    for row in &one.rows {
        let printed = match row.printed.as_str() {
            "" => String::new(),
            printed => format!(" (printed: {printed})"),
        };
        let lead = format!("  {}: ", row.verdict.word());
        render::sentence(&lead, &format!("{}{printed} – {}", row.statement, row.ours));
    }
}
