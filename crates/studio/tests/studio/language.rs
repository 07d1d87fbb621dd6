//! The language of the pages: the preference of the browser, and the selection of the user.

use axum::http::{Method, StatusCode, header};

use crate::{Desk, PAGES, POLICY};

const GERMAN: &str = "de-DE,de;q=0.9,en;q=0.5";

/// Requests a page with the given headers.
fn page(desk: &Desk, path: &str, headers: &[(header::HeaderName, &str)]) -> String {
    let mut request = desk.own(Method::GET, path);
    for (name, value) in headers {
        request = request.header(name, *value);
    }
    let answer = desk.ask(request);
    assert_eq!(answer.status, StatusCode::OK, "{path}");
    answer.text
}

#[test]
fn pages_follow_the_preferred_language() {
    let desk = Desk::new();
    for path in PAGES {
        desk.page(path);
        let german = page(&desk, path, &[(header::ACCEPT_LANGUAGE, GERMAN)]);
        assert!(german.contains("<html lang=\"de\">"), "{path}");
        assert!(german.contains(">Hierarchien<") && !german.contains(">Hierarchies<"), "{path}");
        let english = page(&desk, path, &[(header::ACCEPT_LANGUAGE, "fr,en;q=0.5")]);
        assert!(english.contains("<html lang=\"en\">"), "{path}");
    }
    let columns = page(&desk, "/columns", &[(header::ACCEPT_LANGUAGE, GERMAN)]);
    assert!(columns.contains("Quasi-Identifikator"), "{columns}");
    // Texts of other crates are English, and screen readers read them as English.
    let hierarchies = page(&desk, "/principles", &[(header::ACCEPT_LANGUAGE, GERMAN)]);
    assert!(hierarchies.contains("<p lang=\"en\">"), "{hierarchies}");
    assert!(!desk.page("/principles").contains("<p lang=\"en\">"));
}

/// The selection of the user takes precedence over the preference of the browser, and neither the
/// policy nor its history changes.
#[test]
fn selected_language_is_remembered() {
    let desk = Desk::new();
    assert!(desk.page("/columns").contains("id=\"language-de\""));
    let selected = desk.submit("language", &[("language", "de")]);
    assert_eq!(selected.header("hx-refresh"), "true");
    let cookie = selected.header("set-cookie");
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    let cookie = cookie.split(';').next().expect("a value").to_owned();
    let german = page(&desk, "/columns", &[(header::COOKIE, &cookie)]);
    assert!(german.contains("<html lang=\"de\">") && german.contains("id=\"language-en\""));
    let foreign = page(&desk, "/columns", &[(header::COOKIE, "studio-language=xx")]);
    assert!(foreign.contains("<html lang=\"en\">"));
    let refused = desk.submit("language", &[("language", "xx")]);
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(desk.read("policy.toml"), POLICY);
}

/// Messages that are created while a form is processed are in the language of the request.
#[test]
fn refusals_are_translated() {
    let desk = Desk::new();
    let token = desk.hidden("/", "token");
    let body = crate::encoded(&[("token", &token), ("file", "../outside.csv"), ("page", "")]);
    let request = desk
        .own(Method::POST, "/do/open")
        .header(header::ORIGIN, crate::ORIGIN)
        .header(header::ACCEPT_LANGUAGE, GERMAN)
        .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
    let refused = desk.send(request, axum::body::Body::from(body));
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(refused.text.contains("liegt außerhalb des Ordners"), "{}", refused.text);
}
