// Additions to htmx: keyboard shortcuts for roles, progress of computations, and notifications about
// changes by others.
(() => {
  "use strict";
  const by = (id) => document.getElementById(id);
  const say = (text) => { const live = by("live"); if (live.textContent !== text) live.textContent = text; };

  // Load htmx after the first paint, because htmx processes every form. Loading must also follow the
  // event `load`, which htmx would otherwise miss. A form that is submitted earlier waits for htmx.
  const { htmx: address } = document.currentScript.dataset;
  const ready = new Promise((give) => {
    let isBegun = false;
    const begin = () => {
      if (isBegun) return;
      isBegun = true;
      const script = document.createElement("script");
      script.src = address;
      script.addEventListener("load", give);
      document.head.append(script);
    };
    addEventListener("load", () => {
      requestAnimationFrame(() => setTimeout(begin, 0));
      // Browsers do not paint hidden pages.
      setTimeout(begin, 300);
    });
  });
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (window.htmx || !form.hasAttribute("hx-post")) return;
    event.preventDefault();
    ready.then(() => form.requestSubmit(event.submitter));
  });

  let typed = false;
  let editor = null;
  let said = 0;

  document.addEventListener("input", (event) => {
    if (event.target.closest("form")) typed = true;
    editor = event.target.closest(".editor");
  });
  // Of two concurrent responses, keep the newer one. Automatic updates must not replace a field in
  // which the user is typing.
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.target.id !== "page") return;
    const sequence = Number(event.detail.xhr.getResponseHeader("studio-sequence"));
    const isOlder = sequence < Number(by("page").dataset.sequence);
    const isOwn = event.detail.requestConfig?.verb === "get";
    if (isOwn && (isOlder || typed || document.querySelector("form.htmx-request"))) {
      event.detail.shouldSwap = false;
      setTimeout(() => { if (last) heard(last); }, 0);
    }
  });
  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.detail.target.id === "page") { typed = false; editor = null; }
  });
  document.addEventListener("htmx:afterSettle", (event) => {
    const notice = document.querySelector("#page .note[role=alert], #page .note[role=status]");
    if (notice) say(notice.textContent);
    // Keyboard users keep their focus; if the focused button was removed, the focus moves to the page.
    // An automatic update does not move the focus, to avoid announcing the page again.
    const isAsked = event.detail.requestConfig?.verb === "post";
    if (isAsked && document.activeElement === document.body) by("main")?.focus({ preventScroll: true });
  });

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, textarea, select")) return;
    const column = event.target.closest("[data-column]");
    if (!column) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const step = event.key === "ArrowDown" ? 1 : -1;
      const next = document.querySelector(`[data-column="${Number(column.dataset.column) + step}"] [data-key]`);
      if (next) { event.preventDefault(); next.focus(); }
      return;
    }
    const button = column.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
    if (button) { event.preventDefault(); button.focus(); button.click(); }
  });

  // The grid displays the rows at its scroll position, and loads them in chunks. Only the visible
  // rows exist, so the number of rows does not affect the time of a frame.
  const prepareGrid = () => {
    const grid = by("grid");
    if (!grid || "live" in grid.dataset) return;
    const [n, size, first] = ["n", "size", "first"].map((name) => Number(grid.dataset[name]));
    const [table, body] = ["table", "tbody"].map((name) => grid.querySelector(name));
    if (body.rows.length === 0) return;
    grid.dataset.live = "";
    grid.nextElementSibling.hidden = true;
    // Fixed widths keep the columns in place while other rows appear.
    const cells = [...table.tHead.rows[0].cells];
    const widths = cells.map((cell) => cell.offsetWidth);
    const width = table.offsetWidth;
    cells.forEach((cell, at) => { cell.style.width = `${widths[at]}px`; });
    table.style.width = `${width}px`;
    table.style.tableLayout = "fixed";
    const height = body.rows[0].offsetHeight;
    const fitting = () => {
      const space = grid.clientHeight - table.tHead.offsetHeight;
      return Math.max(1, Math.floor(space / height) - 1);
    };
    const overflow = () => Math.max(0, n - fitting());
    const chunks = new Map([[first / size, [...body.rows]]]);
    const missing = () => {
      const row = document.createElement("tr");
      const cell = row.insertCell();
      cell.colSpan = cells.length;
      cell.textContent = "…";
      return row;
    };
    let isLoading = false;
    const load = async (chunk) => {
      if (isLoading) return;
      isLoading = true;
      try {
        const response = await fetch(`${grid.dataset.address}&first=${chunk * size}`);
        const page = new DOMParser().parseFromString(await response.text(), "text/html");
        const other = page.getElementById("grid");
        if (!grid.isConnected) return;
        if (Number(other?.dataset.n) !== n) { show(); return; }
        if (chunks.size > 40) chunks.clear();
        const rows = [...other.querySelectorAll("tbody tr")];
        chunks.set(chunk, rows.map((row) => document.adoptNode(row)));
      } catch {
        return;
      } finally {
        isLoading = false;
      }
      draw();
    };
    const draw = () => {
      const range = grid.scrollHeight - grid.clientHeight;
      const from = range > 0 ? Math.round((grid.scrollTop / range) * overflow()) : 0;
      const rows = [];
      for (let at = from; at < Math.min(n, from + fitting()); at += 1) {
        const chunk = chunks.get(Math.floor(at / size));
        if (!chunk) load(Math.floor(at / size));
        rows.push(chunk?.[at % size] ?? missing());
      }
      body.replaceChildren(...rows);
    };
    // Browsers limit the height of an element.
    const track = grid.querySelector(".rows-track");
    track.style.height = `${Math.min(overflow() * height, 8e6)}px`;
    let isQueued = false;
    grid.addEventListener("scroll", () => {
      if (isQueued) return;
      isQueued = true;
      requestAnimationFrame(() => { isQueued = false; draw(); });
    });
    if (overflow() > 0) grid.scrollTop = (first / overflow()) * (grid.scrollHeight - grid.clientHeight);
    draw();
  };
  document.addEventListener("htmx:afterSwap", prepareGrid);

  const show = (isWanted) => {
    if (isWanted === true) typed = false;
    htmx.ajax("GET", location.pathname + location.search, { target: "#page", select: "#page", swap: "outerHTML show:none" });
  };
  const tell = () => {
    if (by("elsewhere")) return;
    const note = document.createElement("div");
    note.id = "elsewhere";
    note.className = "note";
    const text = document.createElement("p");
    text.textContent = document.body.dataset.changed + " ";
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = document.body.dataset.show;
    button.addEventListener("click", () => show(true));
    text.append(button);
    note.append(text);
    by("main").prepend(note);
    say(document.body.dataset.changed);
  };

  const heard = ({ sequence, answers, running }) => {
    const page = by("page");
    if (document.querySelector(".htmx-request")) { setTimeout(() => heard(last), 30); return; }
    const progress = by("progress");
    if (running && progress) {
      by("progress-text").textContent = running.text;
      if (running.share === null) progress.removeAttribute("value"); else progress.value = running.share;
      // Announce progress to screen readers occasionally, and not four times per second.
      if (Date.now() - said > 5000) { said = Date.now(); say(running.text); }
    }
    const isChanged = Number(page.dataset.sequence) !== sequence;
    const isAnswered = Number(page.dataset.answers) !== answers;
    if (!isChanged && !isAnswered) return;
    if (!typed) show();
    else if (isChanged) tell();
    else if (editor?.isConnected) { page.dataset.answers = answers; htmx.trigger(editor, "change"); }
  };

  prepareGrid();

  let last = null;
  const listen = () => {
    const events = new EventSource("/events");
    events.addEventListener("state", (event) => {
      last = JSON.parse(event.data);
      setTimeout(() => heard(last), 20);
    });
    let failures = 0;
    events.addEventListener("open", () => { failures = 0; });
    events.addEventListener("error", () => {
      failures += 1;
      if (failures === 3) {
        const note = document.createElement("div");
        note.className = "note refused";
        note.textContent = document.body.dataset.stopped;
        by("main").prepend(note);
        say(document.body.dataset.stopped);
        events.close();
      }
    });
    document.body.dataset.ready = "";
  };
  ready.then(listen);
})();
