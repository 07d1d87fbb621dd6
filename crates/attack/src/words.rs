//! Numbers as texts for people.

/// A whole number with commas.
pub fn thousands(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 row`, `1,200 rows`.
pub fn rows(n: u64) -> String {
    if n == 1 { "1 row".to_owned() } else { format!("{} rows", thousands(n)) }
}

/// `1 class`, `12 classes`.
pub fn classes(n: u64) -> String {
    if n == 1 { "1 class".to_owned() } else { format!("{} classes", thousands(n)) }
}

/// `1 person`, `12 people`.
pub fn people(n: u64) -> String {
    if n == 1 { "1 person".to_owned() } else { format!("{} people", thousands(n)) }
}

/// A share in percent, with as many digits as it takes not to read 0 or 100 where it is neither.
pub fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    let digits = (1..=4).find(|&digits| {
        let text = format!("{percent:.digits$}");
        let rounded: f64 = text.parse().unwrap_or(percent);
        (rounded != 0.0 && rounded != 100.0) || rounded == percent
    });
    let text = format!("{percent:.*}", digits.unwrap_or(4));
    let text = text.trim_end_matches('0').trim_end_matches('.');
    format!("{text} %")
}

/// A number with up to three digits behind the point.
pub fn number(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(thousands(1234567), "1,234,567");
        assert_eq!(thousands(123), "123");
        assert_eq!((rows(1), rows(2000)), ("1 row".to_owned(), "2,000 rows".to_owned()));
        assert_eq!(percent(0.5), "50 %");
        assert_eq!(percent(0.00012), "0.01 %");
        assert_eq!((percent(0.0), percent(1.0)), ("0 %".to_owned(), "100 %".to_owned()));
        assert_eq!(percent(0.99999), "99.999 %");
        assert_eq!(number(1.5), "1.5");
    }
}
