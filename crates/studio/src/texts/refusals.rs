//! Messages for refused requests.

pub(crate) const OUTSIDE_OF_POLICY: &str =
    "the policy names a file outside the folder that the studio was started in";
pub(crate) const RELEASE_ELSEWHERE: &str = "the rows of this release are in a database whose address you have not typed here: open the policy that it was made with, or check it on the command line";
pub(crate) const ATTRIBUTES_NOT_A_TABLE: &str = "'attributes' of the policy is not a table";
pub(crate) const PRINCIPLES_NOT_A_LIST: &str = "'principles' of the policy is not a list of tables";
pub(crate) const NO_SUCH_PRINCIPLE: &str = "the policy has no such principle any more";
pub(crate) const HIERARCHY_IS_A_TABLE: &str =
    "a hierarchy is a table in braces, such as { intervals = [5, 10] }";
pub(crate) const NO_SUCH_STEP: &str = "there is no such step";
pub(crate) const NO_SUCH_EXAMPLE: &str = "there is no such example";
pub(crate) const TOO_MANY_EXAMPLES: &str = "there are too many examples here";
pub(crate) const NO_SUCH_HIERARCHY: &str = "there is no such kind of hierarchy";
pub(crate) const CHOICES_OUT_OF_RANGE: &str = "k is at least 1, and a limit is from 0 to 1";
pub(crate) const NO_RELEASE_YET: &str = "no release was made here yet";
pub(crate) const NAME_OF_LEDGER: &str = "the name of a ledger ends in .ledger";
pub(crate) const NO_LINE: &str = "there is no line yet";
pub(crate) const NO_SUCH_NODE: &str = "the policy has other quasi-identifiers by now";
pub(crate) const QUESTION_FAULT: &str =
    "this question could not be answered: the program has a fault here";
pub(crate) const QUESTION_FAULT_HELP: &str =
    "try it on the command line, and tell the authors what you asked";

pub(crate) fn outside(path: &str) -> String {
    format!("'{path}' is outside the folder that the studio was started in")
}

pub(crate) fn not_there(path: &str) -> String {
    format!("'{path}' is not there")
}

pub(crate) fn no_folder_for(path: &str) -> String {
    format!("there is no folder for '{path}'")
}

pub(crate) fn not_a_folder(path: &str) -> String {
    format!("{path} is not a folder")
}

pub(crate) fn not_of_a_release(path: &str) -> String {
    format!("'{path}' is not a file of a release")
}

pub(crate) fn not_a_policy(name: &str) -> String {
    format!("'{name}' is not a policy: its name does not end in .toml")
}

pub(crate) fn not_a_value(text: &str) -> String {
    format!("'{text}' is not a value that a policy file can have")
}

pub(crate) fn not_toml(line: usize) -> String {
    format!("line {line} of the policy is not TOML: mend it in the file, or undo")
}

pub(crate) fn no_attribute(name: &str) -> String {
    format!("the policy has no attribute '{name}'")
}

pub(crate) fn no_role(name: &str) -> String {
    format!("there is no role '{name}'")
}

pub(crate) fn no_principle(name: &str) -> String {
    format!("there is no principle '{name}'")
}

pub(crate) fn no_method(name: &str) -> String {
    format!("there is no method '{name}'")
}

pub(crate) fn no_section(name: &str) -> String {
    format!("a policy has no section '{name}'")
}

pub(crate) fn no_field(name: &str) -> String {
    format!("the form has no field '{name}'")
}

pub(crate) fn not_numbers(name: &str) -> String {
    format!("'{name}' is a list of numbers with commas between")
}

pub(crate) fn rows_from_one_to(most: u64) -> String {
    format!("rows is a whole number from 1 to {most}")
}

pub(crate) fn cannot_create(name: &str, error: &std::io::Error) -> String {
    format!("'{name}' cannot be made: {error}")
}

pub(crate) fn cannot_be_read(name: &str, error: &std::io::Error) -> String {
    format!("'{name}' cannot be read: {error}")
}

pub(crate) fn cannot_be_written(name: &str, error: &std::io::Error) -> String {
    format!("'{name}' cannot be written: {error}")
}

pub(crate) fn other_length(line: usize, got: usize, expected: usize) -> String {
    format!("line {line} has {got} fields, and the first one has {expected}")
}
