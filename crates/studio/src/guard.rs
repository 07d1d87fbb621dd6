//! Access control. Every request needs an accepted host, an accepted origin, and a session cookie,
//! which a one-time address provides. Every form also needs a token.
//!
//! Every page in the user's browser and every program on the machine can reach a server on the
//! loopback interface.
//! - Pages of other sites can send requests but cannot read the responses. The checks of `Origin`
//!   and of the form token prevent such pages from changing anything.
//! - A page whose host name resolves to this machine (DNS rebinding) could read responses. The
//!   check of `Host` rejects such requests.
//! - Other programs can send requests without a browser. They have neither the token of the
//!   one-time address nor the cookie.

use std::sync::Mutex;

use axum::http::header::{HOST, HeaderMap, ORIGIN};
use axum::http::{Method, header};
use rand::TryRngCore;
use rand::rngs::OsRng;

/// The name of the form field that contains the token.
pub(crate) const FIELD: &str = "token";

/// The reason for rejecting a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NotAllowed {
    /// The `Host` header names another host.
    Host,
    /// The request originates from another page.
    Origin,
    /// The request does not belong to a session.
    Session,
    /// The form does not contain the token of the session.
    Form,
}

/// The tokens of a running studio.
pub(crate) struct Guard {
    hosts: Vec<String>,
    cookie: String,
    session: String,
    form: String,
    /// The unused tokens of one-time addresses.
    entries: Mutex<Vec<String>>,
}

impl std::fmt::Debug for Guard {
    /// Omits tokens from the debug output, because this output may be written to a log.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Guard").field("hosts", &self.hosts).finish_non_exhaustive()
    }
}

/// Returns 32 random bytes in hexadecimal digits.
fn token() -> String {
    let mut bytes = [0u8; 32];
    // Use secure random numbers to prevent attackers from guessing tokens.
    OsRng.try_fill_bytes(&mut bytes).expect("the operating system provides random bytes");
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Compares two strings without revealing the position of the first difference through timing.
fn is_same(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |all, (a, b)| all | (a ^ b)) == 0
}

impl Guard {
    /// Creates the tokens of a server that listens on the given port.
    pub(crate) fn new(port: u16) -> Self {
        Self {
            hosts: ["127.0.0.1", "localhost", "[::1]"].map(|host| format!("{host}:{port}")).into(),
            cookie: format!("indistinct-studio-{port}"),
            session: token(),
            form: token(),
            entries: Mutex::new(Vec::new()),
        }
    }

    /// Returns a new token that starts one session and then expires.
    pub(crate) fn new_entry(&self) -> String {
        let token = token();
        self.entries.lock().expect("no panic").push(token.clone());
        token
    }

    /// Consumes a one-time token, and returns the value of the `Set-Cookie` header.
    pub(crate) fn enter(&self, token: &str) -> Option<String> {
        let mut entries = self.entries.lock().expect("no panic");
        let at = entries.iter().position(|entry| is_same(entry, token))?;
        entries.remove(at);
        Some(format!("{}={}; HttpOnly; SameSite=Strict; Path=/", self.cookie, self.session))
    }

    /// Returns the token that every form of the session must contain.
    pub(crate) fn form_token(&self) -> &str {
        &self.form
    }

    /// Checks that a request is addressed to this host and does not originate from another site.
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

    /// Returns whether a page of another site sent the request.
    pub(crate) fn is_cross_site(headers: &HeaderMap) -> bool {
        headers.get("sec-fetch-site").is_some_and(|it| it == "cross-site")
    }

    /// Checks that a request contains the session cookie.
    pub(crate) fn check_session(&self, headers: &HeaderMap) -> Result<(), NotAllowed> {
        let cookies = headers.get_all(header::COOKIE).iter().filter_map(|it| it.to_str().ok());
        let mut pairs =
            cookies.flat_map(|it| it.split(';')).filter_map(|it| it.trim().split_once('='));
        match pairs.any(|(name, value)| name == self.cookie && is_same(value, &self.session)) {
            true => Ok(()),
            false => Err(NotAllowed::Session),
        }
    }

    /// Checks that a form contains the token of the session.
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
    fn entry_address_is_valid_once() {
        let guard = Guard::new(1);
        let entry = guard.new_entry();
        assert_eq!(entry.len(), 64);
        assert!(guard.enter("").is_none() && guard.enter(&entry[1..]).is_none());
        let cookie = guard.enter(&entry).expect("the address was not used before");
        assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"));
        assert!(guard.enter(&entry).is_none(), "used twice");
        assert_ne!(guard.new_entry(), guard.new_entry());
    }

    #[test]
    fn debug_output_contains_no_token() {
        let guard = Guard::new(1);
        let entry = guard.new_entry();
        let shown = format!("{guard:?}");
        for token in [&guard.session, &guard.form, &entry] {
            assert!(!shown.contains(token.as_str()), "{shown}");
        }
        assert!(shown.contains("127.0.0.1:1"), "{shown}");
    }

    #[test]
    fn text_comparison_is_exact() {
        assert!(is_same("ab", "ab") && !is_same("ab", "ac") && !is_same("ab", "abc"));
    }
}
