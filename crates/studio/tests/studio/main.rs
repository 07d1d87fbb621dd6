//! Tests of the studio without a browser, through requests to its routes and the resulting files.

mod by_hand;
mod cache;
mod guard;
mod guide;
mod language;
mod looking;
mod way;
mod workbench;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Method, Request, StatusCode, header};
use indistinct_studio::{Options, Studio, router};
use tower::ServiceExt;

const HOST: &str = "127.0.0.1:4711";
const ORIGIN: &str = "http://127.0.0.1:4711";

/// The pages in navigation order.
const PAGES: [&str; 12] = [
    "/",
    "/guide",
    "/columns",
    "/hierarchies",
    "/principles",
    "/rows",
    "/explore",
    "/release",
    "/ledger",
    "/hand-over",
    "/settings",
    "/history",
];

/// A response: status, headers, and text.
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: axum::http::HeaderMap,
    pub(crate) text: String,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|it| it.to_str().ok()).unwrap_or_default()
    }
}

/// A studio with a session in a temporary folder.
pub(crate) struct Desk {
    pub(crate) folder: PathBuf,
    pub(crate) studio: Arc<Studio>,
    router: Router,
    pub(crate) cookie: String,
    _scratch: tempfile::TempDir,
    runtime: tokio::runtime::Runtime,
}

/// Generates rows of fictitious people, including one easily recognizable value of each kind.
pub(crate) fn table(n_rows: usize) -> String {
    let mut text = String::from("mail,age,zip,sex,illness\n");
    for n in 0..n_rows {
        let illness = ["flu", "ulcer", "asthma", "Zebra77"][n % 4];
        let (age, zip, sex) = (20 + n * 7 % 60, 10_100 + n * 37 % 90, ["f", "m"][n % 2]);
        text += &format!("p{n}@example.org,{age},{zip},{sex},{illness}\n");
    }
    text
}

pub(crate) const POLICY: &str = "version = 1 # of the format\n\n[input]\npath = \"people.csv\"\n\
                                 \n[attributes.mail]\nrole = \"identifier\"\n\n# how old\n\
                                 [attributes.age]\nrole = \"quasi-identifier\"\n\
                                 hierarchy = { intervals = [5, 10, 20] }\n\n[attributes.zip]\n\
                                 role = \"quasi-identifier\"\nhierarchy = { mask = \"right\" }\n\
                                 \n[attributes.sex]\nrole = \"quasi-identifier\"\n\n\
                                 [attributes.illness]\nrole = \"sensitive\"\n\n[[principles]]\n\
                                 kind = \"k-anonymity\"\nk = 5\n\n[[principles]]\n\
                                 kind = \"distinct-l-diversity\"\nattribute = \"illness\"\n\
                                 l = 2\n\n[recoding]\nmethod = \"full-domain\"\n\
                                 suppression_limit = 0.05\nseed = 7\n\n[output]\n\
                                 row_order = \"shuffled\"\n";

impl Desk {
    /// Starts a studio with a table and a policy.
    pub(crate) fn new() -> Self {
        Self::with(&[("people.csv", &table(400)), ("policy.toml", POLICY)], Some("policy.toml"))
    }

    pub(crate) fn with(files: &[(&str, &str)], open: Option<&str>) -> Self {
        Self::started(files, open, None)
    }

    /// Starts a studio that stores recently opened policies in a file.
    pub(crate) fn remembering(files: &[(&str, &str)], open: Option<&str>, state: &Path) -> Self {
        Self::started(files, open, Some(state.to_owned()))
    }

    fn started(files: &[(&str, &str)], open: Option<&str>, recent: Option<PathBuf>) -> Self {
        let scratch = tempfile::tempdir().expect("a folder");
        let folder = scratch.path().canonicalize().expect("there").join("work");
        std::fs::create_dir(&folder).expect("made");
        std::fs::write(scratch.path().join("outside.csv"), "a\nOutside99\n").expect("written");
        for (name, text) in files {
            std::fs::write(folder.join(name), text).expect("written");
        }
        let file = open.map(|name| folder.join(name));
        let options = Options { file, recent, ..Options::new(folder.clone()) };
        let studio = Arc::new(Studio::new(&options, 4711).expect("a studio"));
        let router = router(Arc::clone(&studio));
        let runtime =
            tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("threads");
        let mut desk =
            Self { folder, studio, router, cookie: String::new(), _scratch: scratch, runtime };
        let entered = desk.ask(Request::get(desk.studio.entrance()).header(header::HOST, HOST));
        assert_eq!(entered.status, StatusCode::OK);
        desk.cookie = entered.header("set-cookie").split(';').next().expect("a cookie").to_owned();
        desk
    }

    /// Sends a request unchanged.
    pub(crate) fn ask(&self, request: axum::http::request::Builder) -> Answer {
        self.send(request, Body::empty())
    }

    pub(crate) fn send(&self, request: axum::http::request::Builder, body: Body) -> Answer {
        let request = request.body(body).expect("a request");
        self.runtime.block_on(async {
            let answer = self.router.clone().oneshot(request).await.expect("an answer");
            let (parts, body) = answer.into_parts();
            let bytes = to_bytes(body, 1 << 26).await.expect("a text");
            let text = String::from_utf8_lossy(&bytes).into_owned();
            Answer { status: parts.status, headers: parts.headers, text }
        })
    }

    /// Builds a request with the session cookie.
    pub(crate) fn own(&self, method: Method, path: &str) -> axum::http::request::Builder {
        Request::builder()
            .method(method)
            .uri(path)
            .header(header::HOST, HOST)
            .header(header::COOKIE, &self.cookie)
    }

    /// Requests a page until it contains all answers, like a browser that reloads the page.
    pub(crate) fn page(&self, path: &str) -> String {
        for _ in 0..600 {
            let answer = self.ask(self.own(Method::GET, path));
            assert_eq!(answer.status, StatusCode::OK, "{path}: {}", answer.text);
            if !answer.text.contains("class=\"waiting\"") {
                return answer.text;
            }
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        panic!("{path} did not receive an answer");
    }

    /// Requests the preview of a hierarchy until it is available.
    pub(crate) fn preview(&self, fields: &[(&str, &str)]) -> Answer {
        for _ in 0..600 {
            let answer = self.submit("preview", fields);
            if !answer.text.contains("class=\"waiting\"") {
                return answer;
            }
        }
        panic!("no preview of {fields:?}");
    }

    /// The value of a hidden field on a page.
    pub(crate) fn hidden(&self, path: &str, name: &str) -> String {
        let page = self.page(path);
        let mark = format!("name=\"{name}\" value=\"");
        page.split(&mark).nth(1).and_then(|it| it.split('"').next()).expect("the field").to_owned()
    }

    /// Submits a form with the current version of the policy.
    pub(crate) fn submit(&self, action: &str, fields: &[(&str, &str)]) -> Answer {
        let version = self.hidden("/columns", "version");
        self.submit_at(action, &version, fields)
    }

    /// Submits a form with the given version of the policy.
    pub(crate) fn submit_at(&self, action: &str, version: &str, fields: &[(&str, &str)]) -> Answer {
        let token = self.hidden("/", "token");
        let mut all = vec![("token", token.as_str()), ("version", version), ("page", "columns")];
        all.extend(fields);
        let request = self
            .own(Method::POST, &format!("/do/{action}"))
            .header(header::ORIGIN, ORIGIN)
            .header("hx-request", "true")
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
        self.send(request, Body::from(encoded(&all)))
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.folder.join(name)).expect("a file")
    }

    /// Requests a page until it contains the text.
    pub(crate) fn wait_for(&self, path: &str, text: &str) -> String {
        for _ in 0..600 {
            let page = self.page(path);
            if page.contains(text) {
                return page;
            }
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        panic!("{path} never contained '{text}': {}", self.page(path));
    }
}

pub(crate) fn encoded(fields: &[(&str, &str)]) -> String {
    let escape = |text: &str| -> String {
        text.bytes()
            .map(|byte| match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => char::from(byte).to_string(),
                other => format!("%{other:02X}"),
            })
            .collect()
    };
    let pairs: Vec<String> =
        fields.iter().map(|(name, value)| format!("{}={}", escape(name), escape(value))).collect();
    pairs.join("&")
}

/// All files below a folder, with their contents.
pub(crate) fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut all = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(at) = open.pop() {
        for entry in std::fs::read_dir(&at).expect("a folder").flatten() {
            if entry.path().is_dir() {
                open.push(entry.path());
            } else {
                let name = entry.path().strip_prefix(folder).expect("below").display().to_string();
                all.push((name, std::fs::read(entry.path()).expect("a file")));
            }
        }
    }
    all.sort();
    all
}
