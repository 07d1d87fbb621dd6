//! Property tests: parsing any text returns a policy, or problems with a location in the text.

use proptest::prelude::*;

use super::super::*;
use super::FULL;

/// The pieces of text that mutations insert.
const PIECES: &[&str] = &[
    "",
    "\"",
    "\"\"\"",
    "'",
    "[",
    "]",
    "[[",
    "]]",
    "{",
    "}",
    "=",
    ",",
    ".",
    "\n",
    "#",
    "-1",
    "0",
    "1e400",
    "nan",
    "-inf",
    "0xff",
    "99999999999999999999999999999999999999999999",
    "1979-05-27",
    "true",
    "[]",
    "{}",
    "[[]]",
    "version = 1\n",
    "k = 2",
    "kind = \"k-anonymity\"",
    "\u{feff}",
    "\u{0}",
    "ü",
    "\r",
    "role",
    "\"*\"",
    "1e-30",
    "1e29",
    "0.1e30",
    "{ values = [] }",
    "{ x = 1, y = -1 }",
    "c2",
    "weights",
    "other_sensitive = \"ignored\"",
];

/// Replaces parts of a string with pieces.
fn mutated(text: &str, changes: &[(usize, usize, usize)]) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for &(at, length, piece) in changes {
        let start = at % (chars.len() + 1);
        let end = (start + length).min(chars.len());
        chars.splice(start..end, PIECES[piece % PIECES.len()].chars());
    }
    chars.into_iter().collect()
}

fn check(text: &str) -> Result<(), TestCaseError> {
    match PolicyFile::parse(text, "p") {
        Ok(policy) => {
            let released = super::released(&policy);
            let again = PolicyFile::parse_released(&released, "p")
                .map_err(|errors| TestCaseError::fail(format!("{errors}\n{released}")))?;
            prop_assert_eq!(again.principles.len(), policy.principles.len());
            for (again, spec) in again.principles.iter().zip(&policy.principles) {
                let mut parameters = spec.parameters.clone();
                parameters.0.retain(|name, _| name != "population");
                prop_assert_eq!(again, &PrincipleSpec { parameters, ..spec.clone() });
            }
        }
        Err(errors) => {
            prop_assert!(errors.problems.iter().any(|it| it.severity() == Severity::Error));
            for problem in &errors.problems {
                if let Some(span) = &problem.span {
                    prop_assert!(text.get(span.clone()).is_some(), "{problem:?}");
                }
            }
            prop_assert!(!errors.to_string().is_empty());
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn mutated_policy_never_panics(
        changes in prop::collection::vec((any::<usize>(), 0..30usize, any::<usize>()), 1..6)
    ) {
        check(&mutated(FULL, &changes))?;
    }

    #[test]
    fn policy_with_replaced_value_never_panics(line in any::<usize>(), piece in any::<usize>()) {
        let lines: Vec<&str> = FULL.lines().collect();
        let at = line % lines.len();
        let text: String = lines
            .iter()
            .enumerate()
            .map(|(number, line)| match line.split_once(" = ") {
                Some((key, _)) if number == at => {
                    format!("{key} = {}\n", PIECES[piece % PIECES.len()])
                }
                _ => format!("{line}\n"),
            })
            .collect();
        check(&text)?;
    }

    #[test]
    fn arbitrary_text_never_panics(text in "\\PC{0,200}") {
        check(&text)?;
    }
}
