//! Converts the privacy models of a certificate to the notation of ARX projects.

use super::Entry;

/// Returns the line of a model in the notation of projects. For an unknown model, returns its title
/// and properties. `attribute` is the name of its attribute among the columns.
pub(super) fn line(entry: &Entry, attribute: Option<&str>) -> String {
    known(entry, attribute).unwrap_or_else(|| match entry.properties.is_empty() {
        true => entry.title.clone(),
        false => format!("{} ({})", entry.title, entry.properties.join(", ")),
    })
}

/// Returns the line of a known model. The formats are those of `render` and `toString` in the
/// classes of `org.deidentifier.arx.criteria`.
fn known(entry: &Entry, attribute: Option<&str>) -> Option<String> {
    let get = |name: &str| entry.get(name);
    let on_attribute = |rule: String| Some(format!("{rule} for attribute '{}'", attribute?));
    match entry.title.as_str() {
        "k-Anonymity" => Some(format!("{}-anonymity", get("Threshold (k)")?)),
        "Distinct l-diversity" => {
            on_attribute(format!("distinct-{}-diversity", get("Threshold (l)")?))
        }
        "Entropy l-diversity" => {
            let estimator = get("Entropy estimator").unwrap_or("Shannon").to_lowercase();
            on_attribute(format!("{estimator}-entropy-{}-diversity", get("Threshold (l)")?))
        }
        "Recursive-(c,l)-diversity" => {
            let (c, l) = (get("Multiplier (c)")?, get("Threshold (l)")?);
            on_attribute(format!("recursive-({c},{l})-diversity"))
        }
        "t-Closeness" => {
            let (t, distance) = (get("Threshold (t)")?, get("Distance")?.to_lowercase());
            on_attribute(format!("{t}-closeness with {distance} distance"))
        }
        "Disclosure privacy" => {
            on_attribute(format!("{}-disclosure privacy", get("Threshold (delta)")?))
        }
        "Basic likeness" => on_attribute(format!("basic-{}-likeness", get("Threshold (beta)")?)),
        "Enhanced likeness" => {
            on_attribute(format!("enhanced-{}-likeness", get("Threshold (beta)")?))
        }
        "Delta presence" => {
            let [low, high] =
                ["Lower", "Upper"].map(|end| get(&format!("{end} threshold (delta)")));
            Some(format!("({},{})-presence", low?, high?))
        }
        // In ARX, the user selected a subset of the rows.
        "Record selection" => Some("Inclusion".to_owned()),
        _ => None,
    }
}
