//! The routes for pages, forms, events, and release files, and the checks that apply to all
//! requests.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{DefaultBodyLimit, Form, Path, Query, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::{self, Next as After};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use futures_util::stream::{self, Stream};
use serde_json::json;

use crate::actions::{self, Next};
use crate::fields::Fields;
use crate::guard::{FIELD, Guard, NotAllowed};
use crate::pages::{self, Context, Notice};
use crate::studio::Studio;
use crate::texts::{Language, t};
use crate::work::Patience;
use crate::{Options, StudioError};

/// Pages load no external resources, contain no inline scripts or styles, and cannot be framed by
/// other sites.
const PAGE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src \
                           'self'; connect-src 'self'; frame-src 'self'; form-action 'self'; \
                           base-uri 'none'; frame-ancestors 'none'";
/// The content security policy of release files, which must not run scripts or submit forms.
const FILE_POLICY: &str = "sandbox allow-same-origin; default-src 'none'; style-src \
                           'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors \
                           'self'";
/// The maximum size of a form.
const MOST_BYTES: usize = 4 << 20;

type Shared = Arc<Studio>;

/// Returns the routes of a studio, with all access checks.
pub fn router(studio: Arc<Studio>) -> Router {
    Router::new()
        .route("/", get(entrance))
        .route("/assets/{name}", get(asset))
        .route("/events", get(events))
        .route("/files/{*path}", get(file))
        .route("/do/{action}", post(act))
        .route("/{page}", get(page))
        .fallback(nothing_here)
        .layer(DefaultBodyLimit::max(MOST_BYTES))
        .layer(middleware::from_fn_with_state(Arc::clone(&studio), check))
        .with_state(studio)
}

/// Processes each request in the language of the user.
async fn check(State(studio): State<Shared>, request: Request, after: After) -> Response {
    language(request.headers()).scope(check_access(studio, request, after)).await
}

/// The cookie with the selected language.
const LANGUAGE: &str = "studio-language";

/// Returns the selected language, or the preferred language of the browser.
fn language(headers: &HeaderMap) -> Language {
    let texts = |name| headers.get_all(name).iter().filter_map(|it| it.to_str().ok());
    let mut pairs = texts(header::COOKIE)
        .flat_map(|it| it.split(';'))
        .filter_map(|it| it.trim().split_once('='));
    let selected = pairs.find(|(name, _)| *name == LANGUAGE);
    let accepted = || texts(header::ACCEPT_LANGUAGE).next().map(Language::accepted);
    selected.and_then(|(_, tag)| Language::named(tag)).or_else(accepted).unwrap_or_default()
}

/// Checks each request before it is processed, and adds the security headers to each response.
async fn check_access(studio: Shared, request: Request, after: After) -> Response {
    let path = request.uri().path();
    let is_asset = path.starts_with("/assets/");
    let is_entrance = path == "/" && request.uri().query().is_some_and(|it| it.contains("token="));
    let headers = request.headers();
    let source = studio.guard.check_source(request.method(), headers);
    let is_foreign = Guard::is_cross_site(headers) && !is_entrance;
    let checked = match source {
        Ok(()) if is_foreign => Err(NotAllowed::Origin),
        Ok(()) if is_asset || is_entrance => Ok(()),
        Ok(()) => studio.guard.check_session(headers),
        refused => refused,
    };
    let is_event = path == "/events";
    let mut response = match checked {
        Ok(()) => {
            if !is_event && !is_asset {
                studio.note_request();
            }
            after.run(request).await
        }
        Err(refused) => refusal(refused),
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, PAGE_POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        // `same-origin` hides the address from other sites. `no-referrer` would also hide the
        // origin of forms.
        (header::REFERRER_POLICY, "same-origin"),
        (header::CACHE_CONTROL, "no-store"),
        (header::X_FRAME_OPTIONS, "SAMEORIGIN"),
    ] {
        if !headers.contains_key(&name) {
            headers.insert(name, HeaderValue::from_static(value));
        }
    }
    for (name, value) in [
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
        ("permissions-policy", "camera=(), geolocation=(), microphone=()"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

fn refusal(why: NotAllowed) -> Response {
    let (status, text) = match why {
        NotAllowed::Host => (StatusCode::MISDIRECTED_REQUEST, t("refused_host")),
        NotAllowed::Origin => (StatusCode::FORBIDDEN, t("refused_origin")),
        NotAllowed::Session => (StatusCode::UNAUTHORIZED, t("refused_session")),
        NotAllowed::Form => (StatusCode::FORBIDDEN, t("refused_form")),
    };
    (status, Html(pages::bare(t("refused"), text).into_string())).into_response()
}

async fn nothing_here() -> Response {
    let page = pages::bare(t("not_here"), t("not_here_help"));
    (StatusCode::NOT_FOUND, Html(page.into_string())).into_response()
}

/// Runs a blocking function in a separate thread to avoid delaying other requests.
async fn aside<T: Send + 'static>(f: impl FnOnce() -> T + Send + 'static) -> Result<T, Response> {
    let language = Language::current();
    tokio::task::spawn_blocking(move || language.run(f)).await.map_err(|_| {
        let page = pages::bare(t("fault"), t("fault_help"));
        (StatusCode::INTERNAL_SERVER_ERROR, Html(page.into_string())).into_response()
    })
}

async fn entrance(
    State(studio): State<Shared>,
    Query(query): Query<BTreeMap<String, String>>,
    headers: HeaderMap,
) -> Response {
    let Some(token) = query.get("token") else {
        return show(studio, "", Fields(query.into_iter().collect())).await;
    };
    if let Some(cookie) = studio.guard.enter(token) {
        // A page is returned instead of a redirect. After a redirect chain that began at another
        // site, the browser would withhold the cookie.
        let mut response = enter(&studio);
        if let Ok(cookie) = HeaderValue::from_str(&cookie) {
            response.headers_mut().insert(header::SET_COOKIE, cookie);
        }
        return response;
    }
    match studio.guard.check_session(&headers) {
        Ok(()) => enter(&studio),
        Err(refused) => refusal(refused),
    }
}

fn enter(studio: &Studio) -> Response {
    Html(pages::enter(studio.opened().is_some()).into_string()).into_response()
}

async fn page(
    State(studio): State<Shared>,
    Path(page): Path<String>,
    Query(query): Query<Vec<(String, String)>>,
) -> Response {
    show(studio, &page, Fields(query)).await
}

async fn show(studio: Shared, page: &str, query: Fields) -> Response {
    let Some(page) = pages::find(page) else { return nothing_here().await };
    let patience = Patience::of_visit();
    let shown = aside(move || {
        let opened = studio.opened();
        let context = Context {
            studio: &studio,
            opened: opened.as_ref(),
            query: &query,
            notice: None,
            patience,
        };
        whole(&context, page)
    });
    shown.await.unwrap_or_else(|response| response)
}

/// The header with the sequence number of a page; the browser discards a response that is older
/// than the displayed page.
const SEQUENCE: &str = "studio-sequence";

fn whole(context: &Context<'_>, page: &pages::Page) -> Response {
    // This number is read before rendering, because a change during rendering makes the page
    // outdated.
    let sequence = context.studio.sequence().to_string();
    ([(SEQUENCE, sequence)], Html(pages::render(context, page).into_string())).into_response()
}

/// Processes a form by checking the session token and the policy version and then running the
/// action.
async fn act(
    State(studio): State<Shared>,
    Path(name): Path<String>,
    headers: HeaderMap,
    Form(fields): Form<Vec<(String, String)>>,
) -> Response {
    let fields = Fields(fields);
    if let Err(refused) = studio.guard.check_form(fields.get(FIELD)) {
        return refusal(refused);
    }
    let Some(action) = actions::find(&name) else { return nothing_here().await };
    let is_htmx = headers.contains_key("hx-request");
    let patience = Patience::of_change();
    let done = aside(move || {
        let page = fields.get("page").and_then(pages::find).unwrap_or_else(pages::first);
        let result = actions::run(&studio, action, &fields);
        let (status, notice) = match result {
            Ok(Next::Fragment(markup)) => return Html(markup.into_string()).into_response(),
            Ok(Next::Go(path)) => return go(&path, is_htmx),
            Ok(Next::Speak(language)) => return speak(language, page, is_htmx),
            Ok(Next::Stay(_)) if !is_htmx => return go(&format!("/{}", page.path), false),
            Ok(Next::Stay(text)) => (StatusCode::OK, Notice::Done(text)),
            Err(actions::Failed::Stale) => {
                (StatusCode::CONFLICT, Notice::Refused(t("stale").to_owned()))
            }
            Err(actions::Failed::Refused(refusal)) => {
                (StatusCode::UNPROCESSABLE_ENTITY, Notice::Refused(refusal.0))
            }
        };
        let opened = studio.opened();
        let context = Context {
            studio: &studio,
            opened: opened.as_ref(),
            query: &fields,
            notice: Some(notice),
            patience,
        };
        (status, whole(&context, page)).into_response()
    });
    done.await.unwrap_or_else(|response| response)
}

/// Redirects to another page; htmx requires a special header.
fn go(path: &str, is_htmx: bool) -> Response {
    let (status, name) = match is_htmx {
        true => (StatusCode::OK, "hx-redirect"),
        false => (StatusCode::SEE_OTHER, "location"),
    };
    let mut response = status.into_response();
    if let Ok(path) = HeaderValue::from_str(path) {
        response.headers_mut().insert(name, path);
    }
    response
}

/// Stores the selected language in the browser and reloads the page in this language.
fn speak(language: Language, page: &pages::Page, is_htmx: bool) -> Response {
    const SECONDS: u32 = 365 * 24 * 60 * 60;
    let mut response = match is_htmx {
        true => ([("hx-refresh", "true")]).into_response(),
        false => go(&format!("/{}", page.path), false),
    };
    let tag = language.tag();
    let cookie = format!("{LANGUAGE}={tag}; HttpOnly; SameSite=Strict; Path=/; Max-Age={SECONDS}");
    if let Ok(cookie) = HeaderValue::from_str(&cookie) {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    response
}

async fn asset(Path(name): Path<String>) -> Response {
    // Static files can be cached, because they contain no cells and their address depends on the
    // contents.
    const IMMUTABLE: &str = "private, max-age=31536000, immutable";
    match pages::asset(&name) {
        Some(asset) => {
            let headers = [(header::CONTENT_TYPE, asset.kind), (header::CACHE_CONTROL, IMMUTABLE)];
            (headers, asset.text).into_response()
        }
        None => nothing_here().await,
    }
}

/// Streams notifications about changes and about the progress of computations.
async fn events(
    State(studio): State<Shared>,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let receiver = studio.changes.subscribe();
    let language = Language::current();
    let stream =
        stream::unfold((studio, receiver, true), move |(studio, mut receiver, first)| async move {
            if !first {
                receiver.changed().await.ok()?;
                // Combine events that occur within a short interval.
                tokio::time::sleep(Duration::from_millis(30)).await;
                receiver.mark_unchanged();
            }
            let running = studio.work.running().map(|(_, progress)| {
                let now = progress.now();
                let text = language.run(|| now.text());
                json!({ "text": text, "share": now.fraction() })
            });
            let data = json!({
                "sequence": studio.sequence(),
                "answers": studio.work.n_answers(),
                "running": running,
            });
            Some((
                Ok(Event::default().event("state").data(data.to_string())),
                (studio, receiver, false),
            ))
        });
    Sse::new(stream).keep_alive(KeepAlive::default())
}

/// Serves a file of a release or of its private directory, with scripts disabled.
async fn file(State(studio): State<Shared>, Path(path): Path<String>) -> Response {
    let read = aside(move || {
        let found = studio.place.of_release(&path).ok()?;
        let ending = found.extension().map(|it| it.to_string_lossy().into_owned());
        Some((ending.unwrap_or_default(), std::fs::read(found).ok()?))
    });
    match read.await {
        Ok(Some((ending, bytes))) => {
            let kind = match ending.as_str() {
                "html" => "text/html; charset=utf-8",
                "svg" => "image/svg+xml",
                "csv" | "json" | "toml" | "txt" => "text/plain; charset=utf-8",
                _ => "application/octet-stream",
            };
            let headers =
                [(header::CONTENT_TYPE, kind), (header::CONTENT_SECURITY_POLICY, FILE_POLICY)];
            (headers, Body::from(bytes)).into_response()
        }
        Ok(None) => nothing_here().await,
        Err(response) => response,
    }
}

/// Starts a studio, and serves requests until the idle timeout expires.
///
/// `announce` receives the address with a one-time token. The [`Studio`] can create further tokens.
///
/// # Errors
/// [`StudioError`] if listening is not permitted or fails, or if the folder or the file cannot be
/// used.
pub fn serve(
    options: &Options,
    announce: impl FnOnce(&str, &Arc<Studio>),
) -> Result<(), StudioError> {
    let address = options.listen;
    if !address.ip().is_loopback() {
        return Err(StudioError::NotLoopback { address });
    }
    let failed = |error| StudioError::Listen { address, error };
    let listener = TcpListener::bind(address).map_err(failed)?;
    listener.set_nonblocking(true).map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    let studio = Arc::new(Studio::new(options, address.port())?);
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.map_err(failed)?;
    let running = Arc::clone(&studio);
    runtime.spawn(async move {
        if let Ok(listener) = tokio::net::TcpListener::from_std(listener) {
            let _ = axum::serve(listener, router(running)).await;
        }
    });
    announce(&format!("http://{address}{}", studio.entrance()), &studio);
    let every = (options.idle / 4).clamp(Duration::from_millis(20), Duration::from_secs(1));
    while studio.idle() < options.idle {
        std::thread::sleep(every);
        studio.look_outside();
    }
    studio.work.forget_all();
    runtime.shutdown_timeout(Duration::from_secs(1));
    Ok(())
}
