//! Who may ask: the right host, the right origin, a session that began with the one-time address, and a token in every form.
//!
//! A server on the loopback interface is reached by every page that the steward's browser has open, and by every program of this machine.
//! - Another page can send requests, but not read answers: `Origin` and the token in each form keep it from changing anything.
//! - A page whose name leads to this machine (DNS rebinding) could read answers: `Host` is compared with the address itself.
//! - Another program can ask without a browser: it has neither the address's token nor the cookie.

use std::sync::Mutex;

use axum::http::header::{HOST, HeaderMap, ORIGIN};
use axum::http::{Method, header};
use rand::TryRngCore;
use rand::rngs::OsRng;

/// The name of the field that has the token of a form.
pub(crate) const FIELD: &str = "token";

/// Why a request is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NotAllowed {
    /// It names another host.
    Host,
    /// It comes from another page.
    Origin,
    /// It has no session.
    Session,
    /// Its form has not the token of this session.
    Form,
}

/// The tokens of a running studio.
pub(crate) struct Guard {
    hosts: Vec<String>,
    cookie: String,
    session: String,
    form: String,
    /// The tokens of addresses that nobody has used yet.
    entries: Mutex<Vec<String>>,
}

impl std::fmt::Debug for Guard {
    /// Without the tokens: what is printed may end in a log.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Guard").field("hosts", &self.hosts).finish_non_exhaustive()
    }
}

/// 32 random bytes in hexadecimal digits.
fn token() -> String {
    let mut bytes = [0u8; 32];
    // Without randomness there is no session that could be told from another.
    OsRng.try_fill_bytes(&mut bytes).expect("the operating system has random bytes");
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Whether two texts are the same, in a time that does not tell where they differ.
fn is_same(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |all, (a, b)| all | (a ^ b)) == 0
}

impl Guard {
    /// For a server that listens at a port.
    pub(crate) fn new(port: u16) -> Self {
        Self {
            hosts: ["127.0.0.1", "localhost", "[::1]"].map(|host| format!("{host}:{port}")).into(),
            cookie: format!("indistinct-studio-{port}"),
            session: token(),
            form: token(),
            entries: Mutex::new(Vec::new()),
        }
    }

    /// A token that opens one session, once.
    pub(crate) fn new_entry(&self) -> String {
        let token = token();
        self.entries.lock().expect("no panic").push(token.clone());
        token
    }

    /// Uses a token up; the header that sets the cookie.
    pub(crate) fn enter(&self, token: &str) -> Option<String> {
        let mut entries = self.entries.lock().expect("no panic");
        let at = entries.iter().position(|entry| is_same(entry, token))?;
        entries.remove(at);
        Some(format!("{}={}; HttpOnly; SameSite=Strict; Path=/", self.cookie, self.session))
    }

    /// The token that every form of this session carries.
    pub(crate) fn form_token(&self) -> &str {
        &self.form
    }

    /// What every request must have: the host's own name, and nothing that says it comes from elsewhere.
    pub(crate) fn check_source(
        &self,
        method: &Method,
        headers: &HeaderMap,
    ) -> Result<(), NotAllowed> {
        let text = |name| headers.get(name).and_then(|it| it.to_str().ok());
        let host = text(HOST).filter(|host| self.hosts.iter().any(|own| own == host));
        let host = host.ok_or(NotAllowed::Host)?;
        let origin = text(ORIGIN);
        let is_own = origin.is_none_or(|origin| origin.strip_prefix("http://") == Some(host));
        let is_change = method != Method::GET && method != Method::HEAD;
        if !is_own || is_change && origin.is_none() {
            return Err(NotAllowed::Origin);
        }
        Ok(())
    }

    /// Whether a request was made by another site's page.
    pub(crate) fn is_cross_site(headers: &HeaderMap) -> bool {
        headers.get("sec-fetch-site").is_some_and(|it| it == "cross-site")
    }

    /// Whether a request has the cookie of the session.
    pub(crate) fn check_session(&self, headers: &HeaderMap) -> Result<(), NotAllowed> {
        let cookies = headers.get_all(header::COOKIE).iter().filter_map(|it| it.to_str().ok());
        let mut pairs =
            cookies.flat_map(|it| it.split(';')).filter_map(|it| it.trim().split_once('='));
        match pairs.any(|(name, value)| name == self.cookie && is_same(value, &self.session)) {
            true => Ok(()),
            false => Err(NotAllowed::Session),
        }
    }

    /// Whether a form has the token of the session.
    pub(crate) fn check_form(&self, token: Option<&str>) -> Result<(), NotAllowed> {
        match token {
            Some(token) if is_same(token, &self.form) => Ok(()),
            _ => Err(NotAllowed::Form),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_opens_one_session_only() {
        let guard = Guard::new(1);
        let entry = guard.new_entry();
        assert_eq!(entry.len(), 64);
        assert!(guard.enter("").is_none() && guard.enter(&entry[1..]).is_none());
        let cookie = guard.enter(&entry).expect("it was not used");
        assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"));
        assert!(guard.enter(&entry).is_none(), "used twice");
        assert_ne!(guard.new_entry(), guard.new_entry());
    }

    #[test]
    fn what_is_printed_has_no_token() {
        let guard = Guard::new(1);
        let entry = guard.new_entry();
        let shown = format!("{guard:?}");
        for token in [&guard.session, &guard.form, &entry] {
            assert!(!shown.contains(token.as_str()), "{shown}");
        }
        assert!(shown.contains("127.0.0.1:1"), "{shown}");
    }

    #[test]
    fn texts_are_the_same_or_not() {
        assert!(is_same("ab", "ab") && !is_same("ab", "ac") && !is_same("ab", "abc"));
    }
}
