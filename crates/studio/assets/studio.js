// Additions to htmx: keyboard shortcuts, progress of computations, and notifications about changes by
// others.
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
    // htmx takes the value of a button from a click.
    ready.then(() => { if (event.submitter) event.submitter.click(); else form.requestSubmit(); });
  });

  let typed = false;
  let editor = null;
  let said = 0;

  document.addEventListener("input", (event) => {
    // The form of a field may be elsewhere on the page.
    if (event.target.form) typed = true;
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
    // Keyboard users keep their focus; if the focused button was removed, the focus moves to the next
    // column or to the page. An automatic update does not move the focus, to avoid announcing the page
    // again.
    const isAsked = event.detail.requestConfig?.verb === "post";
    if (!isAsked || document.activeElement !== document.body) return;
    const at = Number(event.detail.requestConfig.elt?.closest("[data-column]")?.dataset.column);
    const next = columns().find((column) => Number(column.dataset.column) > at);
    (next?.querySelector("[data-key]") ?? by("main"))?.focus({ preventScroll: true });
  });
  const columns = () => [...document.querySelectorAll("[data-column]")];

  // Shortcuts of all pages. Fields have their own undo.
  const isField = (target) => target.closest("textarea, select, input:not([type=checkbox], [type=radio], [type=range])");
  const showButton = () => { const button = by("keyboard-open"); if (button) button.hidden = false; };
  document.addEventListener("htmx:afterSwap", showButton);
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-dialog]");
    if (button) by(button.dataset.dialog).showModal();
  });
  document.addEventListener("keydown", (event) => {
    if (isField(event.target) || event.altKey || document.querySelector("dialog[open]")) return;
    const isCommand = event.ctrlKey || event.metaKey;
    if (event.key === "?" && !isCommand) {
      event.preventDefault();
      by("keyboard").showModal();
    } else if (isCommand && event.key.toLowerCase() === "z") {
      event.preventDefault();
      const button = by(event.shiftKey ? "redo" : "undo");
      if (button && !button.disabled && !document.querySelector(".htmx-request")) button.click();
    }
  });

  // Open sections stay open if the page is updated.
  let opened = [];
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.target.id !== "page") return;
    opened = [...document.querySelectorAll("details.keep[open]")].map((it) => it.id);
  });
  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.detail.target.id === "page") for (const id of opened) by(id)?.setAttribute("open", "");
  });

  document.addEventListener("change", (event) => {
    if (event.target.id !== "select-all") return;
    for (const box of document.querySelectorAll(".column input[name=column][type=checkbox]"))
      box.checked = event.target.checked;
  });

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, textarea, select")) return;
    const column = event.target.closest("[data-column]");
    if (!column) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const all = columns();
      const next = all[all.indexOf(column) + (event.key === "ArrowDown" ? 1 : -1)]?.querySelector("[data-key]");
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

  // The section with rows on other pages. Its links stay in the section, and it shows the same view
  // after an update of the page.
  let rowsAddress = "";
  const loadRows = (address) => {
    const pane = by("rows-pane");
    rowsAddress = address || pane.dataset.address;
    ready.then(() => htmx.ajax("GET", rowsAddress, { source: "#rows-inside", target: "#rows-inside", select: pane.dataset.part, swap: "innerHTML show:none" }));
  };
  document.addEventListener("toggle", (event) => {
    if (event.target.id === "rows-pane" && event.target.open) loadRows(rowsAddress);
  }, true);
  document.addEventListener("click", (event) => {
    const link = event.target.closest("#rows-inside a");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    loadRows(link.getAttribute("href"));
  });

  // A slider shows its value.
  document.addEventListener("input", (event) => {
    if (event.target.type === "range") event.target.form.querySelector("output").value = event.target.value;
  });

  // Handles on the distribution of a column: the ends of equal intervals, or the boundaries of chosen
  // intervals. The fields of the form contain the values, and the preview reads these fields.
  const prepareHandles = () => {
    for (const picture of document.querySelectorAll("svg.handles:not([data-live])")) prepare(picture);
  };
  const prepare = (picture) => {
    picture.dataset.live = "";
    const { kind, boundary, none } = picture.dataset;
    const [low, high, step, margin] = ["low", "high", "step", "margin"].map((name) => Number(picture.dataset[name]));
    const { width, height } = picture.viewBox.baseVal;
    const group = picture.closest("fieldset");
    const field = (name) => group.querySelector(`input[name=${name}]`);
    const isEnds = kind === "intervals";
    const names = isEnds ? [picture.dataset.min, picture.dataset.max] : [];
    const decimals = Math.max(0, -Math.floor(Math.log10(step)));
    const round = (value) => Number((Math.round(value / step) * step).toFixed(decimals));
    const number = (text) => (text.trim() === "" ? NaN : Number(text));
    const read = () => (isEnds
      ? ["min", "max"].map((name, at) => { const own = number(field(name).value); return Number.isNaN(own) ? [low, high][at] : own; })
      : field("boundaries").value.split(",").map(number).filter((it) => !Number.isNaN(it)));
    const write = (values) => {
      if (isEnds) {
        field("min").value = values[0] > low ? values[0] : "";
        field("max").value = values[1] < high ? values[1] : "";
      } else {
        field("boundaries").value = values.join(", ");
      }
      const changed = isEnds ? field("min") : field("boundaries");
      changed.dispatchEvent(new Event("input", { bubbles: true }));
    };
    const x = (value) => margin + ((Math.min(Math.max(value, low), high) - low) / (high - low)) * (width - 2 * margin);
    const element = (name, attributes, parent) => {
      const made = document.createElementNS("http://www.w3.org/2000/svg", name);
      for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
      parent.append(made);
      return made;
    };
    const lines = element("g", { "aria-hidden": "true" }, picture);
    const handles = [];
    const move = (at, value) => {
      const values = read();
      const [from, to] = [values[at - 1] ?? (isEnds ? low - step : low), values[at + 1] ?? (isEnds ? high + step : high)];
      values[at] = round(Math.min(Math.max(value, from + step), to - step));
      write(values);
    };
    const remove = (at) => {
      const values = read();
      if (isEnds) values[at] = [low, high][at]; else values.splice(at, 1);
      write(values);
      handles[Math.min(at, handles.length - 1)]?.focus();
    };
    const add = (value) => {
      const own = round(value);
      const values = read();
      if (own <= low || own >= high || values.includes(own)) return;
      write([...values, own].sort((a, b) => a - b));
      handles[read().indexOf(own)]?.focus();
    };
    const valueAt = (event) => {
      const box = picture.getBoundingClientRect();
      const at = ((event.clientX - box.left) / box.width) * width;
      return low + ((at - margin) / (width - 2 * margin)) * (high - low);
    };
    const handle = (at) => {
      const own = element("g", { role: "slider", tabindex: "0", class: "handle", "aria-valuemin": low, "aria-valuemax": high }, picture);
      element("rect", { x: -12, y: 0, width: 24, height: height - 24, class: "target" }, own);
      element("line", { x1: 0, x2: 0, y1: 0, y2: height - 24 }, own);
      element("circle", { cx: 0, cy: 8, r: 7 }, own);
      own.addEventListener("keydown", (event) => {
        const value = read()[at];
        const large = Math.max(step, round((high - low) / 10));
        const to = { ArrowLeft: value - step, ArrowDown: value - step, ArrowRight: value + step, ArrowUp: value + step,
          PageDown: value - large, PageUp: value + large, Home: low, End: high }[event.key];
        if (to !== undefined) move(at, to);
        else if (["Delete", "Backspace"].includes(event.key)) remove(at);
        else return;
        event.preventDefault();
      });
      own.addEventListener("pointerdown", (event) => { own.setPointerCapture(event.pointerId); own.focus(); event.preventDefault(); });
      own.addEventListener("pointermove", (event) => { if (own.hasPointerCapture(event.pointerId)) move(at, valueAt(event)); });
      return own;
    };
    const draw = () => {
      const values = read();
      while (handles.length < values.length) handles.push(handle(handles.length));
      while (handles.length > values.length) handles.pop().remove();
      handles.forEach((own, at) => {
        const isNone = isEnds && (at === 0 ? values[at] <= low : values[at] >= high);
        own.setAttribute("transform", `translate(${x(values[at])} 0)`);
        own.setAttribute("aria-label", names[at] ?? `${boundary} ${at + 1}`);
        own.setAttribute("aria-valuenow", Math.min(Math.max(values[at], low), high));
        own.setAttribute("aria-valuetext", isNone ? none : values[at]);
        own.classList.toggle("none", isNone);
      });
      lines.replaceChildren();
      const first = isEnds ? Number(field("widths").value.split(",")[0]) : 0;
      if (!(first > 0) || (high - low) / first > 100) return;
      for (let at = Math.ceil(values[0] / first) * first; at < values[1]; at += first)
        element("line", { class: "interval", x1: x(at), x2: x(at), y1: 0, y2: height - 24 }, lines);
    };
    group.addEventListener("input", draw);
    if (!isEnds) {
      picture.addEventListener("dblclick", (event) => add(valueAt(event)));
      const button = group.querySelector("[data-add]");
      button.hidden = false;
      // A new boundary divides the widest interval.
      button.addEventListener("click", () => {
        const ends = [low, ...read(), high];
        const at = ends.slice(1).reduce((best, end, n) => (end - ends[n] > ends[best + 1] - ends[best] ? n : best), 0);
        add((ends[at] + ends[at + 1]) / 2);
      });
    }
    group.querySelector(".for-handles").hidden = false;
    draw();
  };
  document.addEventListener("htmx:afterSwap", (event) => {
    prepareHandles();
    // Boundaries that the studio computed replace the field.
    const { target } = event.detail;
    if (/-boundaries-field$/.test(target.id)) by(target.id)?.querySelector("input")?.dispatchEvent(new Event("input", { bubbles: true }));
  });

  // A branch that is dropped onto another one is moved there, with all selected branches.
  let dragged = null;
  const branch = (event) => event.target.closest?.(".tree [data-position]");
  document.addEventListener("dragstart", (event) => {
    dragged = branch(event);
    if (dragged) event.dataTransfer.effectAllowed = "move";
  });
  document.addEventListener("dragover", (event) => {
    const over = branch(event);
    for (const it of document.querySelectorAll(".tree .over")) it.classList.remove("over");
    if (!dragged || !over || dragged.contains(over) || over.closest("form") !== dragged.closest("form")) return;
    event.preventDefault();
    over.classList.add("over");
  });
  document.addEventListener("dragend", () => {
    dragged = null;
    for (const it of document.querySelectorAll(".tree .over")) it.classList.remove("over");
  });
  document.addEventListener("drop", (event) => {
    const over = branch(event);
    if (!dragged || !over) return;
    event.preventDefault();
    const form = dragged.closest("form");
    const box = dragged.querySelector("input[name=item]");
    if (!box.checked) for (const it of form.querySelectorAll("input[name=item]")) it.checked = it === box;
    form.querySelector("[data-target]").value = over.dataset.position;
    // htmx takes the value of the button from a click.
    form.querySelector("[data-move]").click();
  });

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
  prepareHandles();
  showButton();

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
