//! Generates `docs/errors.md` from the error types: a list of all error codes with remedies.

use std::fmt::Write;

use indistinct_attack::AttackError;
use indistinct_core::belief::BeliefError;
use indistinct_core::hierarchy::HierarchyProblem;
use indistinct_core::model::{InvalidTable, NotNumbers, PopulationError};
use indistinct_core::principle::{DataError, ParameterError};
use indistinct_core::recoding::masking::MaskingProblem;
use indistinct_core::recoding::perturbation::{GridError, PerturbationProblem};
use indistinct_core::{InvalidRecoding, NotCertified, TablesProblem, UnservedRequirement};
use indistinct_diagnostics::{CANCELLED, CodeEntry, FileError};
use indistinct_engine::objects::ObjectError;
use indistinct_engine::output::OutputError;
use indistinct_engine::{EngineError, TableError};
use indistinct_import::ImportError;
use indistinct_ledger::LedgerError;
use indistinct_linkage::LinkageError;
use indistinct_methods::invariant::PeopleProblem;
use indistinct_methods::planned::PlanProblem;
use indistinct_policy::Code;
use indistinct_profiling::gate::GateError;
use indistinct_release::linked::LinkProblem;
use indistinct_release::{NotTogether, PlanParameter, ReleaseError};
use indistinct_search::SearchError;

/// A group of related codes.
struct Section {
    title: &'static str,
    about: &'static str,
    codes: &'static [&'static [CodeEntry]],
}

const SECTIONS: &[Section] = &[
    Section {
        title: "The policy file",
        about: "Each message shows the location in the file and the expected content; \
                [policy.md](policy.md) explains all keys.",
        codes: &[Code::CODES],
    },
    Section {
        title: "Reading and writing tables",
        about: "Messages never contain values from the table. If a release cannot be written, no \
                incomplete release remains.",
        codes: &[FileError::CODES, EngineError::CODES, OutputError::CODES, GateError::CODES],
    },
    Section {
        title: "Databases",
        about: "Messages never contain passwords or values from the table. See \
                [databases.md](databases.md).",
        codes: &[TableError::CODES],
    },
    Section {
        title: "Object stores",
        about: "Messages never contain credentials or responses from the store. See \
                [object-stores.md](object-stores.md).",
        codes: &[ObjectError::CODES],
    },
    Section {
        title: "Hierarchies",
        about: "With `--show-values`, messages list the first affected values.",
        codes: &[HierarchyProblem::CODES],
    },
    Section {
        title: "Principles and populations",
        about: "The table does not meet the preconditions of a principle.",
        codes: &[
            DataError::CODES,
            ParameterError::CODES,
            PopulationError::CODES,
            NotNumbers::CODES,
            BeliefError::CODES,
        ],
    },
    Section {
        title: "Methods and searches",
        about: "An infeasible policy is a valid result, not an error.",
        codes: &[
            indistinct_methods::Error::CODES,
            SearchError::CODES,
            UnservedRequirement::CODES,
            TablesProblem::CODES,
            PerturbationProblem::CODES,
            MaskingProblem::CODES,
            GridError::CODES,
            InvalidRecoding::CODES,
            NotCertified::CODES,
            InvalidTable::CODES,
        ],
    },
    Section {
        title: "Releases and their originals",
        about: "",
        codes: &[
            ReleaseError::CODES,
            NotTogether::CODES,
            indistinct_measure::Error::CODES,
            AttackError::CODES,
        ],
    },
    Section {
        title: "Several releases",
        about: "",
        codes: &[LinkProblem::CODES, LinkageError::CODES, PlanProblem::CODES, PlanParameter::CODES],
    },
    Section {
        title: "Ledgers and growing tables",
        about: "",
        codes: &[LedgerError::CODES, PeopleProblem::CODES],
    },
    Section {
        title: "Everything else",
        about: "",
        codes: &[ImportError::CODES, indistinct::Error::CODES, &[CANCELLED]],
    },
];

/// Returns the codes of all errors except for those of the command line.
pub fn codes() -> impl Iterator<Item = &'static CodeEntry> {
    SECTIONS.iter().flat_map(|section| section.codes).copied().flatten()
}

/// Returns the page with all codes, including those of the command line and of the experiments.
pub fn errors_page(usage: &[CodeEntry], experiments: &[CodeEntry]) -> String {
    let mut page = String::from(
        "# Errors\n\n<!-- Generated from the error types: UPDATE_DOCS=1 cargo test -p \
         indistinct-cli errors -->\n\nIf a command fails, it exits with status 2 and prints a \
         code, the problem, its location, and a remedy to standard error. Codes do not change \
         between versions. Messages contain values from the table only with `--show-values`.\n",
    );
    for section in SECTIONS {
        let entries = section.codes.iter().copied().flatten().copied();
        table(&mut page, section.title, section.about, entries);
    }
    table(&mut page, "The command line", "", usage.iter().copied());
    let about = "These codes belong to the separate program `indistinct-experiments`.";
    table(&mut page, "Experiments", about, experiments.iter().copied());
    page
}

fn table(page: &mut String, title: &str, about: &str, entries: impl Iterator<Item = CodeEntry>) {
    let about = if about.is_empty() { String::new() } else { format!("{about}\n\n") };
    page.push_str(&format!("\n## {title}\n\n{about}| code | problem | remedy |\n|---|---|---|\n"));
    let cell = |text: &str| text.replace('|', "\\|");
    for CodeEntry { code, title, what_to_do } in entries {
        writeln!(page, "| {code} | {} | {} |", cell(title), cell(what_to_do))
            .expect("writing to a string cannot fail");
    }
}
