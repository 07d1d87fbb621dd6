//! The problems in a policy. Each problem is a value with a stable code and a location in the file.

use std::fmt;
use std::ops::Range;

use indistinct_diagnostics::CodeEntry;

/// The severity of a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The policy is rejected.
    Error,
    /// The policy is accepted, but a setting is probably unintended.
    Warning,
}

macro_rules! codes {
    ($($(#[doc = $meaning:literal])+ $variant:ident = $severity:ident $code:literal => $what:literal,)+) => {
        /// A stable code of a problem.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Code {
            $($(#[doc = $meaning])+ $variant,)+
        }

        impl Code {
            /// All codes, in the order of the documentation.
            pub const ALL: &'static [Code] = &[$(Code::$variant,)+];

            /// All codes, each with its meaning and a remedy. The help text of a message is more
            /// specific.
            pub const CODES: &'static [CodeEntry] = &[
                $(CodeEntry {
                    code: $code,
                    title: concat!($($meaning),+).trim_ascii_start(),
                    what_to_do: $what,
                },)+
            ];

            /// Returns the code as displayed, such as `E-POLICY-003`.
            pub fn as_str(self) -> &'static str {
                Self::CODES[self as usize].code
            }

            /// Returns the severity of the problem.
            pub fn severity(self) -> Severity {
                match self { $(Code::$variant => Severity::$severity,)+ }
            }
        }
    };
}

codes! {
    /// The file is not valid TOML.
    Syntax = Error "E-POLICY-001" => "Correct the file at the location given in the message. \
        Strings require quotes, and lists require brackets.",
    /// A key or a section is repeated.
    DuplicateKey = Error "E-POLICY-002" => "Remove or rename one of the two keys or \
        sections.",
    /// The key is unknown.
    UnknownKey = Error "E-POLICY-003" => "Correct the spelling, or remove the key; the message \
        lists the known keys.",
    /// A value has the wrong type.
    WrongType = Error "E-POLICY-004" => "Use a value of the type given in the message.",
    /// A value is out of range.
    OutOfRange = Error "E-POLICY-005" => "Use a value within the range given in the message.",
    /// A value is not among the words that the key accepts.
    UnknownWord = Error "E-POLICY-006" => "Use one of the words listed in the message.",
    /// A feature of the policy format is not available in this version.
    NotAvailable = Error "E-POLICY-007" => "Remove the setting, or use a version of Indistinct \
        that supports it.",
    /// A required key is missing.
    MissingKey = Error "E-POLICY-008" => "Add the key as shown in the message.",
    /// The format version is missing or not supported by this version of Indistinct.
    Version = Error "E-POLICY-009" => "Start the file with `version = 1`, or use a newer version \
        of Indistinct.",
    /// The parameter is unknown to the principle.
    UnknownParameter = Error "E-POLICY-010" => "Remove the parameter; the message lists the \
        parameters of the principle.",
    /// A parameter of the principle is missing.
    MissingParameter = Error "E-POLICY-011" => "Add the parameter; [principles.md](principles.md) \
        explains its meaning.",
    /// A parameter of the principle is out of range.
    ParameterOutOfRange = Error "E-POLICY-012" => "Use a value within the range given in the \
        message.",
    /// No attribute is a quasi-identifier.
    NoQuasiIdentifier = Error "E-POLICY-013" => "Set `role = \"quasi-identifier\"` for every \
        column that others may know about a person.",
    /// A principle requires a sensitive attribute, but none is declared.
    NoSensitive = Error "E-POLICY-014" => "Set `role = \"sensitive\"` for the attribute that must \
        not be disclosed.",
    /// The policy has several sensitive attributes, but a principle does not specify one of them.
    AmbiguousSensitive = Error "E-POLICY-015" => "Specify the sensitive attribute with `attribute \
        = \"NAME\"` in `[[principles]]`.",
    /// A principle refers to an attribute that is not sensitive.
    NotSensitive = Error "E-POLICY-016" => "Specify a sensitive attribute, or set `role = \
        \"sensitive\"` for the specified attribute.",
    /// A principle or the population refers to an attribute that the policy does not declare.
    UnknownAttribute = Error "E-POLICY-017" => "Correct the name, or declare the attribute in \
        `[attributes.NAME]`.",
    /// The policy requires no principle.
    NoPrinciple = Error "E-POLICY-018" => "Add at least one requirement for the release, such as \
        `[[principles]]` with `kind = \"k-anonymity\"` and `k = 5`.",
    /// A setting does not apply to attributes with this role.
    DoesNotApply = Error "E-POLICY-019" => "Remove the setting, or assign a different role to the \
        attribute.",
    /// The lowest permitted level is above the highest permitted level.
    LevelsReversed = Error "E-POLICY-020" => "Swap the levels: level 0 contains the original \
        values, and higher levels are coarser.",
    /// A principle is repeated with the same parameters.
    RepeatedPrinciple = Error "E-POLICY-021" => "Remove one of the two principles, or change its \
        attribute or parameters.",
    /// The class column has the same name as another column.
    ClassColumnTaken = Error "E-POLICY-022" => "Choose another name for `class_column` in \
        `[output]`.",
    /// The declaration of a hierarchy contradicts itself.
    Hierarchy = Error "E-POLICY-023" => "Correct the declaration; [policy.md](policy.md) describes \
        each kind of hierarchy.",
    /// The table has no column with this name.
    NoSuchColumn = Error "E-POLICY-024" => "Correct the name, or remove the attribute; check \
        `input.delimiter` if the table has a single column.",
    /// The table has columns that the policy does not declare.
    UnlistedColumn = Error "E-POLICY-025" => "Assign a role to each column in `[attributes.NAME]`, \
        or omit undeclared columns from the release with `unlisted = \"drop\"` in `[input]`.",
    /// A number cannot be represented exactly.
    NotExact = Error "E-POLICY-026" => "Write a finite number of at most 30 digits.",
    /// Two settings contradict each other.
    Contradiction = Error "E-POLICY-027" => "Change one of the two settings. The message lists \
        compatible settings.",
    /// The column that identifies people is not declared as an identifier.
    NotIdentifier = Error "E-POLICY-028" => "Set `role = \"identifier\"` for the column.",
    /// A setting still contains the placeholder "?" written by `init`.
    Unanswered = Error "E-POLICY-029" => "Replace the placeholder with one of the words listed in \
        the message. A comment in the file explains the choice.",
    /// A parameter has a value that every table satisfies.
    RequiresNothing = Warning "W-POLICY-101" => "Use a stricter value, or remove the principle.",
    /// A setting has no effect in combination with other settings.
    NoEffect = Warning "W-POLICY-102" => "Remove the setting.",
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A problem in a policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The stable code of the problem.
    pub code: Code,
    /// The problem and the expected value.
    pub message: String,
    /// The remedy, if known.
    pub help: Option<String>,
    /// The location in the file, as byte offsets, or `None` if the problem concerns the whole file.
    pub span: Option<Range<usize>>,
}

impl Problem {
    /// Creates a problem at a location in the file.
    pub fn at(code: Code, span: Range<usize>, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), help: None, span: Some(span) }
    }

    /// Creates a problem that concerns the whole file.
    pub fn of_file(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), help: None, span: None }
    }

    /// Adds a remedy to the problem.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Returns the severity of the problem.
    pub fn severity(&self) -> Severity {
        self.code.severity()
    }
}

/// A position in a file, counted in the same way as in editors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line, counted from 1.
    pub line: usize,
    /// The position of the character within the line, counted from 1.
    pub column: usize,
}

/// All problems in a policy, in the order of the file.
///
/// The `Display` implementation writes one line for each problem, `policy.toml:12:5: E-POLICY-004
/// ...`, and one line for its help.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolicyErrors {
    /// The name of the file that the user specified.
    pub source_name: String,
    /// The text of the file.
    pub source_text: String,
    /// The first 1,000 problems, in the order of the file.
    pub problems: Vec<Problem>,
    /// The number of problems that are not listed.
    pub n_more: usize,
}

/// The maximum number of problems to list. Users usually fix the first problems and run the command
/// again.
pub const MOST_PROBLEMS: usize = 1000;

impl PolicyErrors {
    /// Creates the errors of a file. Problems are sorted by location; problems that concern the
    /// whole file come last.
    pub fn new(source_name: &str, source_text: &str, mut problems: Vec<Problem>) -> Self {
        problems.sort_by_key(|problem| {
            let span = problem.span.clone().unwrap_or(usize::MAX..usize::MAX);
            (span.start, span.end, problem.code)
        });
        problems.dedup();
        let n_more = problems.len().saturating_sub(MOST_PROBLEMS);
        problems.truncate(MOST_PROBLEMS);
        Self {
            source_name: source_name.to_owned(),
            source_text: source_text.to_owned(),
            problems,
            n_more,
        }
    }

    /// Returns whether the list of problems is empty.
    pub fn is_empty(&self) -> bool {
        self.problems.is_empty()
    }

    /// Returns the line and column of a problem, or `None` if the problem concerns the whole file.
    pub fn position(&self, problem: &Problem) -> Option<Position> {
        problem.span.as_ref().map(|span| position_of(&self.source_text, span.start))
    }
}

/// Returns the line and column of a byte offset. An offset beyond the end is moved to the end. An
/// offset within a character is moved to the start of the character.
pub fn position_of(text: &str, offset: usize) -> Position {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    let before = &text[..offset];
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let line_text = before[line_start..].trim_start_matches('\u{feff}');
    Position {
        line: 1 + before.bytes().filter(|byte| *byte == b'\n').count(),
        column: 1 + line_text.chars().count(),
    }
}

impl fmt::Display for PolicyErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, problem) in self.problems.iter().enumerate() {
            if at > 0 {
                writeln!(f)?;
            }
            write!(f, "{}:", self.source_name)?;
            if let Some(Position { line, column }) = self.position(problem) {
                write!(f, "{line}:{column}:")?;
            }
            write!(f, " {} {}", problem.code, problem.message)?;
            if let Some(help) = &problem.help {
                write!(f, "\n    help: {help}")?;
            }
        }
        if self.n_more > 0 {
            write!(f, "\n... and {} more", self.n_more)?;
        }
        Ok(())
    }
}

impl std::error::Error for PolicyErrors {}
