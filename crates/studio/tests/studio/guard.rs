//! Rejected requests: each test also checks that the policy file is unchanged.

use std::time::Duration;

use axum::body::Body;
use axum::http::{Method, Request, StatusCode, header};
use indistinct::Coded;
use indistinct_studio::{Options, StudioError, serve};

use crate::{Desk, HOST, ORIGIN, PAGES, POLICY, encoded, table};

#[test]
fn pages_require_session() {
    let desk = Desk::new();
    for path in PAGES.into_iter().chain(["/events", "/files/policy.toml"]) {
        let answer = desk.ask(Request::get(path).header(header::HOST, HOST));
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{path}");
        let wrong = desk.cookie.replace(|c: char| c.is_ascii_digit(), "x");
        let answer =
            desk.ask(Request::get(path).header(header::HOST, HOST).header(header::COOKIE, wrong));
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{path}");
        assert!(!answer.text.contains("people.csv"));
    }
}

#[test]
fn entry_address_opens_one_session() {
    let desk = Desk::new();
    let entrance = desk.studio.entrance();
    let enter = || desk.ask(Request::get(&entrance).header(header::HOST, HOST));
    let first = enter();
    assert_eq!(first.status, StatusCode::OK);
    let cookie = first.header("set-cookie");
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    assert_eq!(enter().status, StatusCode::UNAUTHORIZED);
    let guessed = desk.ask(Request::get("/?token=0000").header(header::HOST, HOST));
    assert_eq!(guessed.status, StatusCode::UNAUTHORIZED);
}

#[test]
fn foreign_host_is_rejected_despite_cookie() {
    let desk = Desk::new();
    for host in [
        "evil.example:4711",
        "evil.example",
        "127.0.0.1",
        "127.0.0.1:80",
        "127.0.0.1.evil.example:4711",
        "",
    ] {
        let request = Request::get("/columns")
            .header(header::HOST, host)
            .header(header::COOKIE, &desk.cookie);
        let answer = desk.ask(request);
        assert_eq!(answer.status, StatusCode::MISDIRECTED_REQUEST, "{host}");
        assert!(!answer.text.contains("illness"));
    }
    let answer = desk.ask(Request::get("/columns").header(header::COOKIE, &desk.cookie));
    assert_eq!(answer.status, StatusCode::MISDIRECTED_REQUEST);
}

/// Static files are identical for all users. Browsers may cache them, because their address changes
/// with their contents.
#[test]
fn only_static_files_are_cached_by_browser() {
    let desk = Desk::new();
    let page = desk.page("/columns");
    for name in ["studio.css", "studio.js", "htmx.min.js", "icon.svg"] {
        let address = page.split('"').find(|it| it.starts_with(&format!("/assets/{name}?")));
        let answer = desk.ask(desk.own(Method::GET, address.expect("loaded")));
        assert_eq!(answer.status, StatusCode::OK);
        assert!(answer.header("cache-control").contains("immutable"), "{name}");
        assert!(!answer.text.contains("Zebra") && !answer.text.contains("people.csv"));
    }
}

/// Submits a form that would change the policy, with the given headers and token.
fn forged(desk: &Desk, origin: Option<&str>, token: Option<&str>) -> StatusCode {
    let version = desk.hidden("/columns", "version");
    let mut fields =
        vec![("version", version.as_str()), ("column", "age"), ("role", "insensitive")];
    fields.extend(token.map(|token| ("token", token)));
    let mut request = desk
        .own(Method::POST, "/do/role")
        .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
    if let Some(origin) = origin {
        request = request.header(header::ORIGIN, origin);
    }
    desk.send(request, Body::from(encoded(&fields))).status
}

#[test]
fn forged_form_is_rejected() {
    let desk = Desk::new();
    let token = desk.hidden("/", "token");
    for origin in [
        None,
        Some("null"),
        Some("http://evil.example"),
        Some("https://127.0.0.1:4711"),
        Some("http://localhost:4711"),
    ] {
        assert_eq!(forged(&desk, origin, Some(&token)), StatusCode::FORBIDDEN, "{origin:?}");
    }
    let short = &token[1..];
    for token in [None, Some(""), Some(short), Some("0")] {
        assert_eq!(forged(&desk, Some(ORIGIN), token), StatusCode::FORBIDDEN, "{token:?}");
    }
    assert_eq!(desk.read("policy.toml"), POLICY);
    assert_eq!(forged(&desk, Some(ORIGIN), Some(&token)), StatusCode::SEE_OTHER);
    assert_ne!(desk.read("policy.toml"), POLICY, "the correct token is accepted");
}

#[test]
fn cross_site_page_load_is_rejected() {
    let desk = Desk::new();
    for path in ["/", "/columns", "/files/policy.toml", "/assets/studio.js"] {
        let request = desk.own(Method::GET, path).header("sec-fetch-site", "cross-site");
        assert_eq!(desk.ask(request).status, StatusCode::FORBIDDEN, "{path}");
    }
}

#[test]
fn unexpected_methods_have_no_effect() {
    let desk = Desk::new();
    for (method, path) in [
        (Method::GET, "/do/undo"),
        (Method::POST, "/columns"),
        (Method::PUT, "/"),
        (Method::DELETE, "/files/people.csv"),
    ] {
        let request = desk.own(method.clone(), path).header(header::ORIGIN, ORIGIN);
        let status = desk.ask(request).status;
        assert!(status.is_client_error(), "{method} {path}: {status}");
    }
    assert_eq!(desk.read("policy.toml"), POLICY);
}

#[test]
fn requests_cannot_access_files_outside_workspace() {
    let desk = Desk::new();
    for file in ["../outside.csv", "../work/../outside.csv", "/etc/passwd", "people.csv"] {
        let answer = desk.submit("open", &[("file", file)]);
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{file}");
        assert!(!answer.text.contains("Outside99") && !answer.text.contains("root:"));
    }
    for policy in ["../new.toml", "/tmp/new.toml", "new.csv", "people.csv", "policy.toml"] {
        let answer = desk.submit("start", &[("table", "people.csv"), ("policy", policy)]);
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{policy}");
    }
    assert_eq!(
        desk.submit("release", &[("directory", "../release")]).status,
        StatusCode::UNPROCESSABLE_ENTITY
    );
    assert_eq!(
        desk.submit("ledger-init", &[("path", "../x.ledger")]).status,
        StatusCode::UNPROCESSABLE_ENTITY
    );
    for path in [
        "/files/../outside.csv",
        "/files/%2e%2e/outside.csv",
        "/files/people.csv",
        "/files/policy.toml",
        "/files//etc/passwd",
    ] {
        let answer = desk.ask(desk.own(Method::GET, path));
        assert!(answer.status.is_client_error(), "{path}: {}", answer.status);
        assert!(!answer.text.contains("Outside99") && !answer.text.contains("example.org"));
    }
    let outside = POLICY.replace("people.csv", "../outside.csv");
    assert_eq!(desk.submit("text", &[("text", &outside)]).status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(desk.read("policy.toml"), POLICY);
    assert!(!desk.folder.join("../release").exists());
}

#[test]
fn policy_with_outside_path_is_not_opened() {
    let outside = POLICY.replace("people.csv", "../outside.csv");
    let desk = Desk::with(&[("policy.toml", &outside)], None);
    let answer = desk.submit_at("open", "", &[("file", "policy.toml")]);
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[test]
fn responses_have_restrictive_security_headers() {
    let desk = Desk::new();
    for path in PAGES {
        let answer = desk.ask(desk.own(Method::GET, path));
        let policy = answer.header("content-security-policy");
        assert!(
            policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self'"),
            "{policy}"
        );
        assert!(
            !policy.contains("unsafe") && policy.contains("frame-ancestors 'none'"),
            "{policy}"
        );
        assert_eq!(answer.header("cache-control"), "no-store");
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
        let page = answer.text.replace("<script src=", "");
        for forbidden in
            ["<script", "<style", " style=\"", " onclick", " onload", "javascript:", "hx-on"]
        {
            assert!(!page.contains(forbidden), "{forbidden} on {path}");
        }
    }
}

#[test]
fn html_in_names_and_values_is_escaped() {
    let name = "<script>alert(1)</script>";
    let mut text = format!("{name},\"a\"\"><img src=x onerror=alert(2)>\",ward\n");
    for n in 0..60 {
        text += &format!("<b>{}</b>,\"</td><script>alert({})</script>\",{}\n", n % 7, n % 3, n % 4);
    }
    let desk = Desk::with(&[("people.csv", &text)], None);
    let opened = desk.submit_at("start", "", &[("table", "people.csv"), ("policy", "p.toml")]);
    assert_eq!(opened.status, StatusCode::OK, "{}", opened.text);
    desk.submit("role", &[("column", name), ("role", "quasi-identifier")]);
    for path in PAGES {
        let page = desk.page(path);
        for raw in ["<script>", "<img", "<b>", "onerror=alert(2)>"] {
            assert!(!page.replace("&lt;", "").contains(raw), "{raw} on {path}");
        }
    }
    assert!(desk.page("/columns").contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
    assert!(desk.read("p.toml").contains("quasi-identifier"));
}

#[test]
fn urls_contain_no_cell_values() {
    let desk = Desk::new();
    desk.submit("release", &[("directory", "out")]);
    desk.wait_for("/release", "The release was created");
    for path in PAGES {
        let page = desk.page(path);
        for attribute in ["href=\"", "src=\"", "action=\"", "hx-get=\"", "hx-post=\""] {
            for address in page.split(attribute).skip(1).filter_map(|it| it.split('"').next()) {
                assert!(
                    !address.contains("Zebra") && !address.contains("example.org"),
                    "{address}"
                );
                assert!(!address.contains("token="), "{address}");
            }
        }
    }
    assert!(
        desk.page("/columns").contains("Zebra77"),
        "the page may show cells to the data holder"
    );
}

#[test]
fn report_frame_runs_no_scripts() {
    let desk = Desk::new();
    desk.submit("release", &[("directory", "out")]);
    desk.wait_for("/release", "The release was created");
    for path in ["/files/out/report.html", "/files/out.private/report.html", "/files/out/data.csv"]
    {
        let answer = desk.ask(desk.own(Method::GET, path));
        assert_eq!(answer.status, StatusCode::OK, "{path}");
        let policy = answer.header("content-security-policy");
        assert!(policy.starts_with("sandbox") && !policy.contains("allow-scripts"), "{policy}");
        assert!(
            !policy.contains("script-src") && policy.contains("default-src 'none'"),
            "{policy}"
        );
    }
    let data = desk.ask(desk.own(Method::GET, "/files/out/data.csv"));
    assert!(data.header("content-type").starts_with("text/plain"));
}

#[test]
fn oversized_request_is_rejected() {
    let desk = Desk::new();
    let answer = desk.submit("text", &[("text", &"#".repeat(5 << 20))]);
    assert_eq!(answer.status, StatusCode::PAYLOAD_TOO_LARGE);
}

#[test]
fn remote_listening_is_rejected_and_idle_studio_stops() {
    let scratch = tempfile::tempdir().expect("a folder");
    std::fs::write(scratch.path().join("people.csv"), table(20)).expect("written");
    let options = Options::new(scratch.path().to_owned());
    let open = Options { listen: "0.0.0.0:0".parse().expect("an address"), ..options.clone() };
    let error = serve(&open, |_, _| panic!("the studio must not listen")).expect_err("refused");
    assert!(
        matches!(error, StudioError::NotLoopback { .. })
            && error.help().is_some_and(|help| help.contains("ssh"))
    );
    let short = Options { idle: Duration::from_millis(80), ..options };
    let mut address = String::new();
    serve(&short, |it, _| address = it.to_owned()).expect("an idle studio stops");
    assert!(address.starts_with("http://127.0.0.1:") && address.contains("/?token="));
}
