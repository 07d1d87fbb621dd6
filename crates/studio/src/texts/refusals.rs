//! Messages for refused requests.

pub(crate) const OUTSIDE_OF_POLICY: &str =
    "the policy names a file outside the folder in which the studio was started";
pub(crate) const RELEASE_ELSEWHERE: &str = "the rows of this release are in a database whose \
                                            address was not entered here; open the policy of the \
                                            release, or verify the release on the command line";
pub(crate) const ATTRIBUTES_NOT_A_TABLE: &str = "'attributes' in the policy is not a table";
pub(crate) const PRINCIPLES_NOT_A_LIST: &str = "'principles' in the policy is not a list of tables";
pub(crate) const NO_SUCH_PRINCIPLE: &str = "the policy no longer contains this principle";
pub(crate) const HIERARCHY_IS_A_TABLE: &str =
    "a hierarchy must be a table in braces, such as { intervals = [5, 10] }";
pub(crate) const NO_SUCH_STEP: &str = "this step does not exist";
pub(crate) const NO_SUCH_EXAMPLE: &str = "unknown example table";
pub(crate) const TOO_MANY_EXAMPLES: &str = "this folder contains too many example tables";
pub(crate) const NO_SUCH_HIERARCHY: &str = "unknown type of hierarchy";
pub(crate) const CHOICES_OUT_OF_RANGE: &str =
    "k must be at least 1, and a suppression limit must be from 0 to 1";
pub(crate) const NO_RELEASE_YET: &str = "no release has been created here yet";
pub(crate) const NAME_OF_LEDGER: &str = "the name of a ledger must end in .ledger";
pub(crate) const NO_LINE: &str = "the hierarchy has no lines";
pub(crate) const NO_SUCH_NODE: &str = "the quasi-identifiers of the policy have changed";
pub(crate) const QUESTION_FAULT: &str = "no answer is available because of an internal error";
pub(crate) const QUESTION_FAULT_HELP: &str =
    "run the equivalent command, and report the error to the authors";

pub(crate) fn outside(path: &str) -> String {
    format!("'{path}' is outside the folder in which the studio was started")
}

pub(crate) fn not_there(path: &str) -> String {
    format!("'{path}' does not exist")
}

pub(crate) fn no_folder_for(path: &str) -> String {
    format!("the folder of '{path}' does not exist")
}

pub(crate) fn not_a_folder(path: &str) -> String {
    format!("'{path}' is not a folder")
}

pub(crate) fn not_of_a_release(path: &str) -> String {
    format!("'{path}' is not a file of a release")
}

pub(crate) fn not_a_policy(name: &str) -> String {
    format!("'{name}' is not a policy file: its name does not end in .toml")
}

pub(crate) fn not_a_value(text: &str) -> String {
    format!("'{text}' is not a valid TOML value")
}

pub(crate) fn not_toml(line: usize) -> String {
    format!("line {line} of the policy is not valid TOML; correct the file, or undo the change")
}

pub(crate) fn no_attribute(name: &str) -> String {
    format!("the policy has no attribute '{name}'")
}

pub(crate) fn no_role(name: &str) -> String {
    format!("unknown role '{name}'")
}

pub(crate) fn no_principle(name: &str) -> String {
    format!("unknown principle '{name}'")
}

pub(crate) fn no_method(name: &str) -> String {
    format!("unknown method '{name}'")
}

pub(crate) fn no_section(name: &str) -> String {
    format!("unknown policy section '{name}'")
}

pub(crate) fn no_field(name: &str) -> String {
    format!("the form has no field '{name}'")
}

pub(crate) fn not_numbers(name: &str) -> String {
    format!("'{name}' must be a list of numbers, separated by commas")
}

pub(crate) fn rows_from_one_to(most: u64) -> String {
    format!("the number of rows must be an integer from 1 to {most}")
}

pub(crate) fn cannot_create(name: &str, error: &std::io::Error) -> String {
    format!("'{name}' cannot be created: {error}")
}

pub(crate) fn cannot_be_read(name: &str, error: &std::io::Error) -> String {
    format!("'{name}' cannot be read: {error}")
}

pub(crate) fn cannot_be_written(name: &str, error: &std::io::Error) -> String {
    format!("'{name}' cannot be written: {error}")
}

pub(crate) fn other_length(line: usize, got: usize, expected: usize) -> String {
    format!("line {line} has {got} fields, but the first line has {expected}")
}
