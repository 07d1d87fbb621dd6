//! Edits of a policy file. Each edit changes a few keys and preserves everything else, including
//! comments.

use indistinct::init::{NO_SENSITIVE, is_question, without_questions};
use toml_edit::{
    ArrayOfTables, DocumentMut, InlineTable, Item, RawString, Table, TableLike, Value,
};

use crate::place::Refusal;

/// A TOML document with a policy, which may be invalid.
#[derive(Debug, Clone)]
pub(crate) struct Document(DocumentMut);

/// The declaration of an attribute in a policy.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Attribute {
    pub(crate) name: String,
    pub(crate) role: String,
    /// The value of `hierarchy` on one line.
    pub(crate) hierarchy: Option<String>,
    pub(crate) min_level: Option<i64>,
    pub(crate) max_level: Option<i64>,
    /// The treatment of missing values, if declared.
    pub(crate) missing: Option<String>,
    /// The declared values that represent a missing value only in this column.
    pub(crate) null_values: Vec<String>,
    /// The notation of the values, if declared.
    pub(crate) written: Option<String>,
    /// The reason for publishing the column although it resembles an identifier.
    pub(crate) accepted: Option<String>,
    /// Whether a comment of the proposal still requests a decision about the attribute.
    pub(crate) has_question: bool,
}

impl Attribute {
    /// Describes a column that the policy does not declare.
    pub(crate) fn undecided(name: &str) -> Self {
        Self { name: name.to_owned(), role: UNDECIDED.to_owned(), ..Self::default() }
    }
}

/// The role of a column that the user has not decided yet.
pub(crate) const UNDECIDED: &str = "?";

/// The declaration of a principle in a policy.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Principle {
    pub(crate) kind: String,
    pub(crate) attribute: Option<String>,
    /// The remaining keys with their values as written in the file.
    pub(crate) parameters: Vec<(String, String)>,
}

/// Roles of the studio that are not roles of the policy: an identifier whose column a key of a
/// section names, such as `id` of `[people]`.
pub(crate) const SPECIAL_ROLES: [(&str, &str, &str); 3] = [
    ("person", "people", "id"),
    ("household", "people", "household"),
    ("weight", "population", "weights"),
];

/// Returns whether a role is one of [`SPECIAL_ROLES`].
pub(crate) fn is_special_role(role: &str) -> bool {
    SPECIAL_ROLES.iter().any(|it| it.0 == role)
}

/// Attribute keys, each with the roles for which the key is valid.
const KEYS_OF_ROLES: [(&str, &[&str]); 11] = [
    ("hierarchy", &["quasi-identifier", "sensitive"]),
    ("weight", &["quasi-identifier"]),
    ("min_level", &["quasi-identifier"]),
    ("max_level", &["quasi-identifier"]),
    ("missing", &["quasi-identifier", "sensitive"]),
    ("spelling_variants", &["sensitive"]),
    ("notation", &["quasi-identifier", "sensitive", "insensitive"]),
    ("coarsen", &["sensitive", "insensitive"]),
    ("unique_values_reason", &["sensitive", "insensitive"]),
    ("looks_like_identifier", &["quasi-identifier", "sensitive", "insensitive"]),
    ("looks_like_identifier_reason", &["quasi-identifier", "sensitive", "insensitive"]),
];

/// Parses a text as a TOML value.
pub(crate) fn value_of(text: &str) -> Result<Value, Refusal> {
    text.trim().parse::<Value>().map_err(|_| Refusal::about("not_a_value", text.trim()))
}

/// Sets or removes keys of a table.
fn set_keys(table: &mut dyn TableLike, keys: Vec<(&str, Option<Value>)>) {
    for (key, value) in keys {
        match value {
            Some(value) => put(table, key, value),
            None => {
                table.remove(key);
            }
        }
    }
}

/// Replaces a value and preserves the trailing comment.
fn put(table: &mut dyn TableLike, key: &str, mut value: Value) {
    match table.get_mut(key) {
        Some(Item::Value(old)) => {
            *value.decor_mut() = old.decor().clone();
            *old = value;
        }
        _ => {
            value.decor_mut().clear();
            table.insert(key, Item::Value(value));
        }
    }
}

fn one_line(item: &Item) -> Option<String> {
    let mut value = match item {
        Item::Value(value) => value.clone(),
        Item::Table(table) => Value::InlineTable(table.clone().into_inline_table()),
        _ => return None,
    };
    // Remove a trailing comment, which is not part of the value.
    value.decor_mut().clear();
    let text = value.to_string();
    Some(text.trim().to_owned())
}

/// Returns the comments before a table.
fn remarks(item: &Item) -> &str {
    let prefix = item.as_table().and_then(|table| table.decor().prefix());
    prefix.and_then(RawString::as_str).unwrap_or_default()
}

/// Replaces the comments before a table with the result of `f`.
fn set_remarks(item: &mut Item, f: impl FnOnce(&str) -> String) {
    let text = f(remarks(item));
    if let Some(table) = item.as_table_mut() {
        table.decor_mut().set_prefix(text);
    }
}

impl Document {
    /// Parses a TOML document.
    ///
    /// # Errors
    /// [`Refusal`] if the text is not valid TOML.
    pub(crate) fn parse(text: &str) -> Result<Self, Refusal> {
        let parsed = text.parse::<DocumentMut>();
        parsed.map(Self).map_err(|error| {
            let line = error.span().map_or(1, |span| text[..span.start].lines().count().max(1));
            Refusal::about("not_toml", &line.to_string())
        })
    }

    pub(crate) fn text(&self) -> String {
        self.0.to_string()
    }

    /// Returns the given sections of the document.
    pub(crate) fn only(&self, sections: &[&str]) -> String {
        let mut document = self.0.clone();
        document.as_table_mut().retain(|key, _| sections.contains(&key));
        document.to_string()
    }

    /// Returns the attributes in file order.
    pub(crate) fn attributes(&self) -> Vec<Attribute> {
        let table = self.0.get("attributes").and_then(Item::as_table_like);
        let of = |(name, item): (&str, &Item)| {
            let table = item.as_table_like()?;
            let text = |key: &str| table.get(key).and_then(Item::as_str).map(str::to_owned);
            let whole = |key: &str| table.get(key).and_then(Item::as_integer);
            let null_values = table.get("null_values").and_then(Item::as_array);
            let null_values = null_values.into_iter().flatten().filter_map(Value::as_str);
            Some(Attribute {
                null_values: null_values.map(str::to_owned).collect(),
                name: name.to_owned(),
                role: text("role").unwrap_or_default(),
                hierarchy: table.get("hierarchy").and_then(one_line),
                min_level: whole("min_level"),
                max_level: whole("max_level"),
                missing: text("missing"),
                written: text("notation"),
                accepted: text("looks_like_identifier_reason"),
                has_question: remarks(item).lines().any(is_question),
            })
        };
        table.map(|table| table.iter().filter_map(of).collect()).unwrap_or_default()
    }

    pub(crate) fn attribute(&self, name: &str) -> Option<Attribute> {
        self.attributes().into_iter().find(|attribute| attribute.name == name)
    }

    /// Returns the principles in file order.
    pub(crate) fn principles(&self) -> Vec<Principle> {
        let of = |table: &dyn TableLike| {
            let text = |key: &str| table.get(key).and_then(Item::as_str).map(str::to_owned);
            let own = table.iter().filter(|(key, _)| !["kind", "attribute"].contains(key));
            Principle {
                kind: text("kind").unwrap_or_default(),
                attribute: text("attribute"),
                parameters: own
                    .filter_map(|(key, item)| Some((key.to_owned(), one_line(item)?)))
                    .collect(),
            }
        };
        match self.0.get("principles") {
            Some(Item::ArrayOfTables(tables)) => tables.iter().map(|it| of(it)).collect(),
            Some(Item::Value(Value::Array(array))) => {
                array.iter().filter_map(Value::as_inline_table).map(|it| of(it)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns the value of a key as written in the file. An empty `section` denotes the top level.
    pub(crate) fn get(&self, section: &str, key: &str) -> Option<String> {
        let table = match section {
            "" => Some(self.0.as_table() as &dyn TableLike),
            section => self.0.get(section).and_then(Item::as_table_like),
        };
        table?.get(key).and_then(one_line)
    }

    /// Returns the string value of a key, without quotes.
    pub(crate) fn text_of(&self, section: &str, key: &str) -> Option<String> {
        let value = value_of(&self.get(section, key)?).ok()?;
        value.as_str().map(str::to_owned)
    }

    /// Sets or removes a key of a section.
    pub(crate) fn set(&mut self, section: &str, key: &str, value: Option<Value>) {
        let table: &mut dyn TableLike = match section {
            "" => self.0.as_table_mut(),
            section => {
                let item = self.0.entry(section).or_insert_with(|| Item::Table(Table::new()));
                match item.as_table_like_mut() {
                    Some(table) => table,
                    None => return,
                }
            }
        };
        match value {
            Some(value) if section.is_empty() && !table.contains_key(key) => {
                // TOML requires top-level keys before the first table.
                self.set_at_top(key, value);
            }
            Some(value) => put(table, key, value),
            None => {
                table.remove(key);
            }
        }
    }

    /// Removes a section that has become empty.
    pub(crate) fn remove_if_empty(&mut self, section: &str) {
        let table = self.0.get(section).and_then(Item::as_table_like);
        if !section.is_empty() && table.is_some_and(TableLike::is_empty) {
            self.0.remove(section);
        }
    }

    fn set_at_top(&mut self, key: &str, mut value: Value) {
        value.decor_mut().clear();
        self.0.as_table_mut().insert(key, Item::Value(value));
    }

    fn table_of(&mut self, name: &str) -> Result<&mut dyn TableLike, Refusal> {
        let unknown = || Refusal::about("no_attribute", name);
        let attributes = self.0.get_mut("attributes").and_then(Item::as_table_like_mut);
        let item = attributes.and_then(|table| table.get_mut(name)).ok_or_else(unknown)?;
        item.as_table_like_mut().ok_or_else(unknown)
    }

    /// Sets the role of a column, and declares the column if necessary. Removes the keys that are
    /// invalid for the role, and comments that request a decision about the column.
    ///
    /// A quasi-identifier without a hierarchy receives `proposed`.
    pub(crate) fn set_role(
        &mut self,
        name: &str,
        role: &str,
        proposed: Option<&str>,
    ) -> Result<(), Refusal> {
        if self.attribute(name).is_none() {
            let attributes = self.0.entry("attributes").or_insert_with(|| {
                let mut table = Table::new();
                table.set_implicit(true);
                Item::Table(table)
            });
            let broken = || Refusal::new("attributes_not_a_table");
            let attributes = attributes.as_table_like_mut().ok_or_else(broken)?;
            attributes.insert(name, Item::Table(Table::new()));
        }
        let table = self.table_of(name)?;
        put(table, "role", Value::from(role));
        for (key, roles) in KEYS_OF_ROLES {
            if !roles.contains(&role) {
                table.remove(key);
            }
        }
        if let (true, false, Some(text)) =
            (role == "quasi-identifier", table.contains_key("hierarchy"), proposed)
        {
            put(table, "hierarchy", value_of(text)?);
        }
        let own = self.0.get_mut("attributes").and_then(|all| all.get_mut(name));
        if let Some(own) = own.filter(|own| remarks(own).lines().any(is_question)) {
            set_remarks(own, without_questions);
        }
        if role == "sensitive" {
            for (_, item) in self.0.iter_mut().filter(|it| remarks(it.1).contains(NO_SENSITIVE)) {
                set_remarks(item, |remarks| remarks.replace(NO_SENSITIVE, ""));
            }
        }
        Ok(())
    }

    /// Returns the special role of an identifier.
    pub(crate) fn special_role(&self, name: &str) -> Option<&'static str> {
        self.attribute(name).filter(|it| it.role == "identifier")?;
        let mut special = SPECIAL_ROLES.into_iter();
        special.find(|(_, section, key)| self.names(section, key, name)).map(|it| it.0)
    }

    /// Returns whether a key of a section names a column.
    fn names(&self, section: &str, key: &str, name: &str) -> bool {
        self.text_of(section, key).is_some_and(|own| own == name)
    }

    /// Sets the special role of a column, or removes it if the role is an ordinary one. Keys that
    /// would contradict the role are removed. The role itself is set by [`Self::set_role`].
    pub(crate) fn set_special_role(&mut self, name: &str, role: &str) {
        for (special, section, key) in SPECIAL_ROLES {
            if special == role {
                self.set(section, key, Some(Value::from(name)));
            } else if self.names(section, key, name) {
                self.set(section, key, None);
            }
        }
        let is_identifier = role == "identifier" || is_special_role(role);
        if !is_identifier && self.names("population", "household", name) {
            self.set("population", "household", None);
        }
        // People and households cannot be combined, and members of a household are not recoded
        // uniformly.
        if role == "person" {
            self.set("people", "household", None);
        } else if role == "household" {
            self.set("people", "id", None);
            if self.names("people", "rows", "uniform") {
                self.set("people", "rows", None);
            }
        }
        if self.get("people", "id").or_else(|| self.get("people", "household")).is_none() {
            self.0.remove("people");
        }
        self.remove_if_empty("population");
    }

    /// Declares the generalization hierarchy of a column. Without a declaration, the only
    /// generalization of a value is `*`.
    pub(crate) fn set_hierarchy(
        &mut self,
        name: &str,
        declared: Option<&str>,
    ) -> Result<(), Refusal> {
        let value = declared.map(value_of).transpose()?;
        if value.as_ref().is_some_and(|value| !value.is_inline_table()) {
            return Err(Refusal::new("hierarchy_is_a_table"));
        }
        let table = self.table_of(name)?;
        match value {
            Some(value) => {
                if table.get("hierarchy").is_some_and(|item| !item.is_value()) {
                    table.remove("hierarchy");
                }
                put(table, "hierarchy", value);
            }
            None => {
                table.remove("hierarchy");
            }
        }
        Ok(())
    }

    /// Sets or removes keys of an attribute.
    pub(crate) fn set_of_attribute(
        &mut self,
        name: &str,
        keys: Vec<(&str, Option<Value>)>,
    ) -> Result<(), Refusal> {
        let table = self.table_of(name)?;
        set_keys(table, keys);
        Ok(())
    }

    fn principle_tables(&mut self) -> Result<&mut ArrayOfTables, Refusal> {
        let broken = || Refusal::new("principles_not_a_list");
        let table = self.0.as_table_mut();
        let item =
            table.entry("principles").or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()));
        if !item.is_array_of_tables() {
            let taken = std::mem::take(item);
            *item = Item::ArrayOfTables(taken.into_array_of_tables().map_err(|_| broken())?);
        }
        item.as_array_of_tables_mut().ok_or_else(broken)
    }

    /// Appends a principle.
    pub(crate) fn add_principle(
        &mut self,
        kind: &str,
        attribute: Option<&str>,
        parameters: Vec<(&str, Value)>,
    ) -> Result<(), Refusal> {
        let mut table = Table::new();
        table.insert("kind", Item::Value(Value::from(kind)));
        if let Some(attribute) = attribute {
            table.insert("attribute", Item::Value(Value::from(attribute)));
        }
        for (key, value) in parameters {
            put(&mut table, key, value);
        }
        table.decor_mut().set_prefix("\n");
        self.principle_tables()?.push(table);
        Ok(())
    }

    /// Sets or removes parameters of a principle.
    pub(crate) fn set_parameters(
        &mut self,
        at: usize,
        keys: Vec<(&str, Option<Value>)>,
    ) -> Result<(), Refusal> {
        let gone = || Refusal::new("no_such_principle");
        let table = self.principle_tables()?.get_mut(at).ok_or_else(gone)?;
        set_keys(table, keys);
        Ok(())
    }

    pub(crate) fn remove_principle(&mut self, at: usize) -> Result<(), Refusal> {
        let gone = || Refusal::new("no_such_principle");
        let tables = self.principle_tables()?;
        if at >= tables.len() {
            return Err(gone());
        }
        tables.remove(at);
        Ok(())
    }
}

/// Builds the declaration of a hierarchy from its parts, such as intervals, masks, dates, or a
/// file.
pub(crate) fn declaration(parts: &[(&str, &str)]) -> Result<String, Refusal> {
    let mut table = InlineTable::new();
    for (key, text) in parts {
        table.insert(*key, value_of(text)?);
    }
    Ok(table.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    const POLICY: &str = "# a policy\nversion = 1\n\n[input]\npath = \"t.csv\" # here\n\n\
                          # how old\n[attributes.age]\nrole = \"?\" # undecided\n\
                          # hierarchy = { intervals = [5] }\n\n[attributes.\"a b\"]\n\
                          role = \"sensitive\"\n\n[attributes.\"a b\".hierarchy.tree]\n\
                          \"x\" = [\"y\"]\n\n# alike\n[[principles]]\nkind = \"k-anonymity\"\n\
                          k = 5 # five\n\n[recoding]\nmethod = \"curve\" # fast\n";

    fn document() -> Document {
        Document::parse(POLICY).expect("TOML")
    }

    #[test]
    fn document_exposes_file_values() {
        let document = document();
        let attributes = document.attributes();
        assert_eq!(attributes[0].role, "?");
        assert_eq!(attributes[1].hierarchy.as_deref(), Some("{ tree = { \"x\" = [\"y\"] } }"));
        assert_eq!(document.get("recoding", "method").as_deref(), Some("\"curve\""), "no comment");
        assert_eq!(document.principles()[0].parameters, [("k".to_owned(), "5".to_owned())]);
        assert_eq!(document.text_of("recoding", "method").as_deref(), Some("curve"));
        assert_eq!(document.get("", "title"), None);
    }

    #[test]
    fn comments_stay_with_their_keys() {
        let mut document = document();
        document.set_role("age", "quasi-identifier", Some("{ intervals = [5, 10] }")).expect("set");
        document.set("recoding", "method", Some(Value::from("full-domain")));
        document.set_parameters(0, vec![("k", Some(Value::from(7)))]).expect("set");
        let text = document.text();
        for line in [
            "# how old",
            "role = \"quasi-identifier\" # undecided",
            "hierarchy = { intervals = [5, 10] }",
            "k = 7 # five",
            "method = \"full-domain\" # fast",
            "path = \"t.csv\" # here",
        ] {
            assert!(text.contains(line), "{line} in\n{text}");
        }
    }

    #[test]
    fn changing_role_removes_incompatible_keys() {
        let mut document = document();
        document.set_role("a b", "identifier", None).expect("set");
        assert_eq!(document.attribute("a b").expect("there").hierarchy, None);
        document.set_role("new\n\"one\"", "insensitive", None).expect("added");
        let again = Document::parse(&document.text()).expect("still TOML");
        assert_eq!(again.attribute("new\n\"one\"").expect("there").role, "insensitive");
    }

    /// Setting a role removes the comments that request a decision about the column. Declaring a
    /// sensitive column also removes the comment about a missing sensitive column.
    #[test]
    fn answered_questions_are_removed() {
        let text = format!(
            "version = 1\n\n# its name\n# CHECK: which is it?\n# It takes part.\n[attributes.a]\n\
             role = \"?\"\n\n# CHECK: this?\n[attributes.b]\nrole = \"quasi-identifier\"\n\n\
             {NO_SENSITIVE}\n[recoding]\nmethod = \"curve\"\n"
        );
        let mut document = Document::parse(&text).expect("TOML");
        let requested = |document: &Document| {
            document.attributes().iter().map(|it| it.has_question).collect::<Vec<_>>()
        };
        assert_eq!(requested(&document), [true, true]);
        // Confirming the current role counts as a decision.
        document.set_role("b", "quasi-identifier", None).expect("set");
        assert_eq!(requested(&document), [true, false]);
        assert!(document.text().contains("o column looks sensitive"));
        document.set_role("a", "sensitive", None).expect("set");
        let expected = "version = 1\n\n# its name\n# It takes part.\n[attributes.a]\n\
                        role = \"sensitive\"\n\n[attributes.b]\nrole = \"quasi-identifier\"\n\n\n\
                        [recoding]\nmethod = \"curve\"\n";
        assert_eq!(document.text(), expected);
    }

    #[test]
    fn special_roles_are_keys_of_sections() {
        let mut document = document();
        document.set_special_role("age", "person");
        document.set_special_role("a b", "weight");
        assert_eq!(document.special_role("a b"), None, "sensitive weights are released");
        for name in ["age", "a b"] {
            document.set_role(name, "identifier", None).expect("set");
        }
        assert_eq!(document.special_role("age"), Some("person"));
        assert_eq!(document.special_role("a b"), Some("weight"));
        document.set("people", "rows", Some(Value::from("independent")));
        document.set("population", "sampling_fraction", Some(Value::from(0.5)));
        // Another column takes the role, and its own former role is removed.
        document.set_special_role("a b", "person");
        assert_eq!(document.special_role("age"), None);
        assert_eq!(document.get("population", "weights"), None);
        assert!(document.text().contains("[people]\nid = \"a b\"\nrows = \"independent\"\n"));
        // Without a column, the section for people would be invalid.
        document.set_special_role("a b", "identifier");
        assert!(!document.text().contains("[people]"), "{}", document.text());
        assert!(document.text().contains("[population]\nsampling_fraction = 0.5\n"));
        // People and households cannot be combined, and only people can have uniform rows.
        document.set_special_role("a b", "person");
        document.set("people", "rows", Some(Value::from("uniform")));
        document.set_special_role("age", "household");
        assert_eq!(document.special_role("age"), Some("household"));
        assert!(document.text().contains("[people]\nhousehold = \"age\"\n"));
        assert!(!document.text().contains("uniform"), "{}", document.text());
        document.set_special_role("a b", "person");
        assert_eq!(document.get("people", "household"), None);
        document.set_special_role("age", "household");
        // The household of the population is independent of the role.
        document.set("population", "household", Some(Value::from("age")));
        document.set_special_role("age", "identifier");
        assert!(document.get("population", "household").is_some());
        document.set_special_role("age", "quasi-identifier");
        assert_eq!(document.get("population", "household"), None);
        assert!(!document.text().contains("[people]"), "{}", document.text());
    }

    #[test]
    fn principles_can_be_added_and_removed() {
        let mut document = document();
        let l = vec![("l", Value::from(3))];
        document.add_principle("entropy-l-diversity", Some("a b"), l).expect("added");
        assert_eq!(document.principles().len(), 2);
        assert_eq!(document.principles()[1].attribute.as_deref(), Some("a b"));
        document.remove_principle(0).expect("removed");
        assert_eq!(document.principles()[0].kind, "entropy-l-diversity");
        assert!(document.remove_principle(1).is_err());
        Document::parse(&document.text()).expect("still TOML");
    }

    #[test]
    fn inline_principle_list_can_be_edited() {
        let mut document =
            Document::parse("principles = [{ kind = \"k-anonymity\", k = 2 }]\n").expect("TOML");
        document.add_principle("t-closeness", None, Vec::new()).expect("added");
        assert_eq!(document.principles().len(), 2);
    }

    #[test]
    fn only_valid_toml_values_are_accepted() {
        assert!(value_of("[5, 10]").is_ok());
        for text in ["", "5\nk = 6", "[5", "a b", "5] , x = [6"] {
            assert!(value_of(text).is_err(), "{text}");
        }
        assert_eq!(
            declaration(&[("intervals", "[5, 10]"), ("max", "90")]).expect("a table"),
            "{ intervals = [5, 10], max = 90 }"
        );
        assert!(document().set_hierarchy("age", Some("5")).is_err());
        let mut document = document();
        document.set_hierarchy("a b", Some("{ mask = \"left\" }")).expect("set");
        let again = Document::parse(&document.text()).expect("still TOML");
        assert_eq!(
            again.attribute("a b").expect("there").hierarchy.as_deref(),
            Some("{ mask = \"left\" }")
        );
    }
}
