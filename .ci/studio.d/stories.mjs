// Whole stories of the studio in a real browser. Each begins with a folder of its own and ends with what is on disk.
//
//     node stories.mjs --program FILE [--keep FOLDER] [STORY...]

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { chromium } from "playwright-core";

const { source: axe } = createRequire(import.meta.url)("axe-core");
const options = { program: "", keep: path.resolve("target/studio-pages"), stories: [] };
for (let rest = process.argv.slice(2); rest.length; ) {
  const word = rest.shift();
  if (word === "--program" || word === "--keep") options[word.slice(2)] = path.resolve(rest.shift());
  else options.stories.push(word);
}
const WIDTHS = [360, 1280];
const FLAGS = ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
  "--disable-sync", "--disable-dev-shm-usage"];
const found = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
  .flatMap((name) => process.env.PATH.split(":").map((folder) => path.join(folder, name)))
  .find((file) => fs.existsSync(file));

const table = (rows) => {
  const lines = ["mail,age,zip,sex,illness"];
  for (let n = 0; n < rows; n++) {
    const illness = ["flu", "ulcer", "asthma", "Zebra77"][n % 4];
    lines.push(`p${n}@example.org,${20 + ((n * 7) % 60)},${10100 + ((n * 37) % 90)},${["f", "m"][n % 2]},${illness}`);
  }
  return lines.join("\n") + "\n";
};
const POLICY = `version = 1

[input]
path = "people.csv"

[attributes.mail]
role = "identifier"

# how old
[attributes.age]
role = "quasi-identifier"
hierarchy = { intervals = [5, 10, 20] }

[attributes.zip]
role = "quasi-identifier"
hierarchy = { mask = "right" }

[attributes.sex]
role = "quasi-identifier"

[attributes.illness]
role = "sensitive"

[[principles]]
kind = "k-anonymity"
k = 5

[[principles]]
kind = "distinct-l-diversity"
attribute = "illness"
l = 2

[recoding]
method = "full-domain"
suppression_limit = 0.05
seed = 7
`;

/** A studio in a folder of its own, a browser with a session, and what is wrong with any of its pages. */
class Desk {
  static async open(name, files, args = []) {
    const desk = new Desk();
    desk.name = name;
    desk.wrong = [];
    desk.outer = fs.mkdtempSync(path.join(os.tmpdir(), "studio-"));
    desk.folder = path.join(desk.outer, "work");
    fs.mkdirSync(desk.folder);
    fs.writeFileSync(path.join(desk.outer, "outside.csv"), "a\nOutside99\n");
    for (const [file, text] of Object.entries(files)) fs.writeFileSync(path.join(desk.folder, file), text);
    // What was opened lately is remembered elsewhere than the lists of whoever runs this.
    const env = { ...process.env, XDG_STATE_HOME: path.join(desk.outer, "state") };
    desk.child = spawn(options.program, ["studio", ...args, "--no-browser"], { cwd: desk.folder, env, stdio: ["pipe", "pipe", "pipe"] });
    desk.lines = [];
    desk.waiting = [];
    desk.logged = "";
    let rest = "";
    desk.child.stdout.on("data", (part) => {
      rest += part;
      for (let at; (at = rest.indexOf("\n")) >= 0; rest = rest.slice(at + 1)) {
        const line = rest.slice(0, at);
        const next = desk.waiting.shift();
        if (next) next(line); else desk.lines.push(line);
      }
    });
    desk.child.stderr.on("data", (part) => { desk.logged += part; });
    desk.address = await desk.next();
    desk.base = new URL(desk.address).origin;
    desk.browser = await chromium.launch({ executablePath: found, headless: true, chromiumSandbox: false, args: FLAGS });
    desk.context = await desk.browser.newContext({ viewport: { width: 1280, height: 900 } });
    desk.page = await desk.tab(desk.address);
    return desk;
  }

  async next() {
    const line = this.lines.length ? this.lines.shift()
      : await new Promise((give, fail) => {
        this.waiting.push(give);
        setTimeout(() => fail(new Error(`the studio said nothing: ${this.logged}`)), 20000).unref();
      });
    return line.slice(line.indexOf("http"));
  }

  /** Another address, as Enter in the terminal gives it. */
  async another() {
    this.child.stdin.write("\n");
    return this.next();
  }

  async tab(address, context = this.context) {
    const page = await context.newPage();
    page.setDefaultTimeout(20000);
    page.on("console", (message) => {
      // axe-core leaves empty style attributes behind, which htmx copies: this is the hash of nothing.
      const isOfAxe = message.text().includes("Applying inline style") && message.text().includes("47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
      if (["error", "warning"].includes(message.type()) && !isOfAxe && !/sandboxed/.test(message.text())) this.wrong.push(`the console says ${message.text()}`);
    });
    page.on("pageerror", (error) => this.wrong.push(`a script fails: ${error.message}`));
    page.on("request", (request) => {
      const to = new URL(request.url());
      if (to.protocol.startsWith("http") && to.origin !== this.base) this.wrong.push(`it asks ${to.origin}`);
      if (/Zebra|example\.org/.test(decodeURIComponent(to.href))) this.wrong.push("a cell is in an address");
    });
    await page.goto(address);
    await page.waitForURL((url) => !url.search.includes("token"));
    return page;
  }

  async go(where, page = this.page) {
    await page.goto(`${this.base}/${where}`);
    await page.waitForLoadState("load");
  }

  /** Presses a button and waits until the page is there again. */
  async press(locator, page = this.page) {
    const answered = page.waitForResponse((response) => response.url().includes("/do/"));
    await locator.click();
    const response = await answered;
    await page.waitForFunction(() => !document.querySelector(".htmx-request"));
    await page.waitForLoadState("load");
    return response;
  }

  async says(text, page = this.page) {
    await page.getByText(text).first().waitFor({ state: "attached", timeout: 60000 });
  }

  /** Looks for barriers, for what is too wide, and for what the browser keeps; takes pictures where `shot` names one. */
  async look(shot, page = this.page) {
    for (const scheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme: scheme });
      // 640 is what a window of 1280 has left at 200%.
      for (const width of [WIDTHS[0], 640, WIDTHS[1]]) {
        await page.setViewportSize({ width, height: 900 });
        const wide = await page.evaluate(() => ({
          content: document.scrollingElement.scrollWidth,
          what: [...document.querySelectorAll("#page *")]
            .filter((it) => !it.closest(".scroll, svg, caption, .live") && it.getBoundingClientRect().right > innerWidth + 1)
            .map((it) => `${it.tagName.toLowerCase()}.${it.className}`).slice(0, 4),
        }));
        if (wide.content > width || wide.what.length) this.wrong.push(`${shot}: ${wide.content} wide at ${width}: ${wide.what}`);
        if (shot && WIDTHS.includes(width)) {
          await page.screenshot({ path: path.join(options.keep, `${this.name}-${shot}-${width}-${scheme}.png`), fullPage: true });
        }
      }
      const barriers = await page.evaluate(`${axe}; axe.run(document, { iframes: false })`);
      for (const barrier of barriers.violations) {
        const where = barrier.nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(" | ");
        this.wrong.push(`${shot}, ${scheme}: ${barrier.id}: ${barrier.help}: ${where}`);
      }
    }
    // htmx keeps the path of the page, and nothing else may be kept.
    const kept = await page.evaluate(() => ({ ...localStorage, ...sessionStorage }));
    for (const [name, value] of Object.entries(kept)) {
      if (name !== "htmx-current-path-for-history" || !/^\/[a-z-]*(\?(level=\d+&?)+)?$/.test(value)) this.wrong.push(`${shot}: the browser keeps ${name}`);
    }
    await page.emulateMedia({ colorScheme: "light" });
    await page.setViewportSize({ width: 1280, height: 900 });
  }

  /** What a screen reader has of the page: landmarks, names, and nothing that has to be guessed. Kept as a text. */
  async hear(name, page = this.page) {
    const heard = await page.locator("body").ariaSnapshot();
    fs.writeFileSync(path.join(options.keep, `${this.name}-${name}.aria.txt`), heard);
    for (const [what, pattern] of [["no main landmark", /^- main:/m], ["no named navigation", /^ *- navigation "/m], ["no first heading", /heading ".+" \[level=1\]/], ["no contentinfo", /^ *- contentinfo:/m]]) {
      if (!pattern.test(heard)) this.wrong.push(`${name}: a reader hears of ${what}`);
    }
    for (const [line] of heard.matchAll(/^ *- (button|link|textbox|combobox|checkbox|region|img|progressbar)( \[.*\])?:?$/gm)) this.wrong.push(`${name}: a reader hears no name of: ${line.trim()}`);
    const levels = [...heard.matchAll(/\[level=(\d)\]/g)].map((it) => Number(it[1]));
    levels.forEach((level, at) => { if (at && level > levels[at - 1] + 1) this.wrong.push(`${name}: a heading of level ${level} comes after one of level ${levels[at - 1]}`); });
    if (await page.locator("#live[role=status][aria-live=polite]").count() !== 1) this.wrong.push(`${name}: there is no live region`);
    return heard;
  }

  /** When the page was first painted, after it was asked for. */
  async painted(page = this.page) {
    return page.evaluate(() => new Promise((give) => {
      const find = () => performance.getEntriesByName("first-contentful-paint")[0];
      const first = find();
      if (first) give(first.startTime);
      else new PerformanceObserver((_, own) => { if (find()) { own.disconnect(); give(find().startTime); } }).observe({ type: "paint", buffered: true });
    }));
  }

  read(file) { return fs.readFileSync(path.join(this.folder, file), "utf8"); }
  exists(file) { return fs.existsSync(path.join(this.folder, file)); }

  command(...words) {
    return spawnSync(options.program, words, { cwd: this.folder, encoding: "utf8" });
  }

  async close() {
    await this.browser.close();
    this.child.kill("SIGTERM");
    if (/Zebra|p1@example/.test(this.logged)) this.wrong.push("a cell is in the log");
    fs.rmSync(this.outer, { recursive: true, force: true });
    assert.deepEqual(this.wrong, []);
  }
}

/** Another server on this machine, as a page that means ill. */
const elsewhere = (html) => new Promise((give) => {
  const server = http.createServer((_, response) => { response.setHeader("content-type", "text/html"); response.end(html()); });
  server.listen(0, "127.0.0.1", () => give(server));
});

const raw = (base, headers, where = "/columns") => new Promise((give, fail) => {
  const { hostname, port } = new URL(base);
  const request = http.request({ host: hostname, port, path: where, headers }, (response) => {
    let text = "";
    response.on("data", (part) => { text += part; });
    response.on("end", () => give({ status: response.statusCode, text }));
  });
  request.on("error", fail);
  request.end();
});

const filesOf = (folder) => fs.readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name))).sort();

const stories = {
  /** From a table nobody has seen to a release that the recipient checks, by keyboard where it matters. */
  async "from a table to a release"(desk) {
    const { page } = desk;
    await desk.look("1-open");
    await page.locator("#start-0").click();
    await page.waitForURL("**/columns");
    await desk.says("looks like e-mail addresses");
    await desk.look("2-columns");
    // One key for a role, the arrows for the next column.
    await page.locator("#role-1-identifier").focus();
    for (const [at, key, role] of [[1, "q", "quasi-identifier"], [2, "q", "quasi-identifier"], [3, "q", "quasi-identifier"], [4, "s", "sensitive"]]) {
      await page.locator(`#role-${at}-identifier`).focus();
      const answered = page.waitForResponse((response) => response.url().includes("/do/"));
      await page.keyboard.press(key);
      await answered;
      await page.locator(`#role-${at}-${role}[aria-pressed=true]`).waitFor();
      // The focus stays where it was, on a button of the new page.
      await page.waitForFunction((id) => document.activeElement?.id === id && !document.querySelector(".htmx-request"), `role-${at}-${role}`);
    }
    await page.keyboard.press("ArrowUp");
    assert.equal(await page.evaluate(() => document.activeElement.closest("[data-column]").dataset.column), "3");
    // A key that comes as soon as the page is new is heard as well: nothing is sent by the browser's own means.
    await page.evaluate(() => { window.isSamePage = true; });
    for (let n = 0; n < 20; n++) {
      const [key, role] = [["i", "identifier"], ["q", "quasi-identifier"]][n % 2];
      const answered = page.waitForResponse((response) => response.url().includes("/do/"));
      await page.keyboard.press(key);
      await answered;
      await page.locator(`#role-3-${role}[aria-pressed=true]`).waitFor();
    }
    assert.ok(await page.evaluate(() => window.isSamePage), "the page was loaded again");
    await desk.says("The policy can be used.");
    await desk.look("3-columns-decided");
    assert.match(desk.read("people.toml"), /\[attributes\.illness\]\nrole = "sensitive"/);

    await desk.go("hierarchies");
    const age = page.locator("section.hierarchy", { hasText: "age" }).first();
    await age.locator("summary").click();
    await age.getByLabel("How", { exact: true }).selectOption("intervals");
    await age.getByLabel("Widths of levels").fill("10, 20, 40");
    await desk.says("This is how it would be");
    await desk.look("4-hierarchies");
    await desk.press(age.getByRole("button", { name: "Save" }).first());
    assert.match(desk.read("people.toml"), /intervals = \[10, 20, 40\]/);

    await desk.go("principles");
    await page.locator("details", { hasText: "entropy-l-diversity" }).first().locator("summary").click();
    await page.locator("#new-entropy-l-diversity-l").fill("2");
    await desk.press(page.locator("#new-entropy-l-diversity"));
    await desk.says("within reach");
    await desk.look("5-principles");
    assert.match(desk.read("people.toml"), /kind = "entropy-l-diversity"\nattribute = "illness"\nl = 2/);

    await desk.go("explore");
    await page.locator("#recoding-seed").fill("7");
    await desk.press(page.locator("#recoding"));
    await page.locator("#compare-k").fill("3, 5, 10");
    await page.locator("#compare-limits").fill("0, 0.05");
    await page.locator('[id="compare-vary-entropy-l-diversity.l"]').fill("2, 3");
    await desk.press(page.locator("#compare"));
    await desk.says("All choices");
    await desk.says("The frontier with entropy-l-diversity.l = 3");
    await desk.look("6-explore");
    await desk.press(page.getByRole("button", { name: /Take it: multidimensional, k = 5, entropy-l-diversity.l = 3/ }).last());
    await desk.says("this is the policy now");
    assert.match(desk.read("people.toml"), /kind = "entropy-l-diversity"\nattribute = "illness"\nl = 3/);
    assert.match(desk.read("people.toml"), /method = "multidimensional"/);

    await desk.go("release");
    await desk.press(page.locator("#release"));
    await desk.says("it holds what it claims");
    await desk.press(page.locator("#attack"));
    await desk.says("Singling out: can the row");
    await desk.press(page.locator("#measure"));
    await desk.says("What was lost (lower is better)");
    for (const id of ["report", "private-report"]) {
      // Nothing runs in the frame, not even what would look into it: that it was loaded has to do.
      const loaded = page.waitForResponse((response) => response.url().endsWith("report.html"));
      await page.locator(`#${id} summary`).click();
      assert.equal((await loaded).status(), 200);
    }
    await desk.look("7-release");

    await desk.go("ledger");
    await desk.press(page.locator("#ledger-init"));
    await desk.says("An empty ledger was made");
    await desk.press(page.locator("#ledger-add"));
    await desk.says("The release is recorded");
    await desk.look("8-ledger");

    await desk.go("hand-over");
    await desk.says("Every claim holds");
    await desk.look("9-hand-over");
    await desk.go("history");
    await desk.look("10-history");

    const verified = desk.command("verify", "release");
    assert.equal(verified.status, 0, verified.stdout + verified.stderr);
    // The command that the page names gives the same bytes.
    const made = desk.command("anonymize", "people.toml", "-o", "by-command");
    assert.equal(made.status, 0, made.stderr);
    const names = filesOf(path.join(desk.folder, "release"));
    assert.deepEqual(filesOf(path.join(desk.folder, "by-command")), names);
    for (const name of names) {
      assert.ok(fs.readFileSync(path.join(desk.folder, "release", name)).equals(fs.readFileSync(path.join(desk.folder, "by-command", name))), name);
    }
  },

  async "a wrong hierarchy is told while it is typed"(desk) {
    const { page } = desk;
    await desk.go("hierarchies");
    const age = page.locator("section.hierarchy", { hasText: "age" }).first();
    await age.locator("summary").click();
    await age.getByLabel("Widths of levels").fill("5, 7");
    await desk.says("E-POLICY");
    assert.equal(desk.read("policy.toml"), POLICY, "nothing is saved by typing");
    await desk.press(age.getByRole("button", { name: "Save" }).first());
    await desk.says("Before anything can be released");
    await desk.look("wrong");
    await desk.press(page.locator("#undo"));
    assert.equal(desk.read("policy.toml"), POLICY);
  },

  async "an infeasible policy and its way out"(desk) {
    const { page } = desk;
    await desk.go("principles");
    await page.locator("#principle-1-l").fill("9");
    await desk.press(page.locator("#principle-1-set"));
    await desk.says("beyond reach");
    await desk.look("beyond-reach");
    await desk.go("release");
    await desk.press(page.locator("#release"));
    await desk.says("Ways out");
    await desk.look("infeasible");
    assert.ok(!desk.exists("release"));
    await desk.press(page.getByRole("button", { name: /l = 4/ }).first());
    await desk.press(page.locator("#release"));
    await desk.says("it holds what it claims");
    assert.equal(desk.command("verify", "release").status, 0);
  },

  async "undo, redo and notes"(desk) {
    const { page } = desk;
    await desk.go("columns");
    await desk.press(page.locator("#role-3-identifier"));
    const changed = desk.read("policy.toml");
    assert.notEqual(changed, POLICY);
    await desk.press(page.locator("#undo"));
    assert.equal(desk.read("policy.toml"), POLICY);
    await desk.press(page.locator("#redo"));
    assert.equal(desk.read("policy.toml"), changed);
    await desk.go("history");
    await page.locator("#note-1").fill("as the board asked");
    await desk.press(page.locator("#note-1-set"));
    await desk.press(page.locator("#go-0"));
    assert.equal(desk.read("policy.toml"), POLICY);
    await page.reload();
    assert.equal(await page.locator("#note-1").inputValue(), "as the board asked");
  },

  /** A search that takes long: the browser is closed and opened again in the middle, and the search ends with its best. */
  async "a run that is stopped"(desk) {
    const { page } = desk;
    assert.equal(desk.command("generate", "survey", "--rows", "4000", "--attributes", "30", "-o", "survey.csv").status, 0);
    await page.reload();
    await page.locator("#open-0").click();
    await page.waitForURL("**/columns");
    await desk.go("explore");
    await page.locator("#recoding-method").selectOption("full-domain");
    await desk.press(page.locator("#recoding"));
    await desk.go("release");
    await desk.press(page.locator("#release"));
    await desk.says("Under way: Making the release");
    await page.waitForFunction(() => /best so far costs/.test(document.getElementById("progress-text")?.textContent ?? ""), null, { timeout: 60000 });
    await desk.look("running");
    await page.close();
    await desk.context.clearCookies();
    const again = await desk.tab(await desk.another());
    desk.page = again;
    await desk.go("release");
    await desk.says("Under way: Making the release");
    await again.locator("#best").click();
    await desk.says("The search was stopped");
    await desk.says("it holds what it claims");
    assert.equal(desk.command("verify", "release").status, 0);
  },

  async "two tabs agree"(desk) {
    const { page } = desk;
    await desk.go("principles");
    const other = await desk.tab(`${desk.base}/principles`);
    await page.locator("#principle-0-k").fill("6");
    await desk.press(page.locator("#principle-0-set"));
    await other.waitForFunction(() => document.getElementById("principle-0-k").value === "6");
    // Somebody who is typing is told, and keeps what was typed.
    await other.locator("#principle-0-k").fill("8");
    await page.locator("#principle-0-k").fill("7");
    await desk.press(page.locator("#principle-0-set"));
    await other.locator("#elsewhere").waitFor();
    assert.equal(await other.locator("#principle-0-k").inputValue(), "8");
    await desk.look("elsewhere", other);
    const late = await desk.press(other.locator("#principle-0-set"), other);
    assert.equal(late.status(), 409);
    desk.wrong = desk.wrong.filter((it) => !/409/.test(it));
    await desk.says("changed elsewhere since", other);
    assert.match(desk.read("policy.toml"), /k = 7/);
    // And what an editor writes is seen by both.
    fs.writeFileSync(path.join(desk.folder, "policy.toml"), POLICY.replace("k = 5", "k = 4"));
    await desk.go("principles");
    assert.equal(await page.locator("#principle-0-k").inputValue(), "4");
    await other.waitForFunction(() => document.getElementById("principle-0-k").value === "4");
  },

  async "nobody else gets in"(desk) {
    const { page } = desk;
    const cookie = (await desk.context.cookies()).map((it) => `${it.name}=${it.value}`).join("; ");
    const host = new URL(desk.base).host;
    assert.equal((await raw(desk.base, { host, cookie })).status, 200);
    assert.equal((await raw(desk.base, { host: "evil.example", cookie })).status, 421);
    assert.equal((await raw(desk.base, { host })).status, 401);
    assert.equal((await raw(desk.base, { host }, new URL(desk.address).pathname + new URL(desk.address).search)).status, 401, "used twice");
    // Pages of other origins that the same browser has open: another site, and another port of this one.
    await desk.go("columns");
    const token = await page.locator("input[name=token]").first().inputValue();
    const form = () => `<form method=post action="${desk.base}/do/role"><input name=token value="${token}"><input name=column value=sex>
      <input name=role value=insensitive></form><script>document.forms[0].submit()</script>`;
    const evil = await elsewhere(form);
    const { port } = evil.address();
    for (const name of ["localhost", "127.0.0.1"]) {
      const tab = await desk.context.newPage();
      await tab.goto(`http://${name}:${port}/`);
      await tab.waitForURL(`${desk.base}/do/role`);
      assert.match(await tab.locator("main").innerText(), /another page|no session/);
      await tab.close();
    }
    assert.equal(desk.read("policy.toml"), POLICY);
    // Nor can such a page show the studio in a frame, or read it.
    const frame = await elsewhere(() => `<iframe src="${desk.base}/columns"></iframe><script>
      fetch("${desk.base}/columns", {credentials: "include"}).then((it) => it.text()).then((it) => { document.title = "read"; }, () => { document.title = "refused"; })</script>`);
    const tab = await desk.context.newPage();
    await tab.goto(`http://127.0.0.1:${frame.address().port}/`);
    await tab.waitForFunction(() => document.title);
    assert.equal(await tab.title(), "refused");
    const inside = tab.frames()[1];
    assert.ok(!(await inside.content().catch(() => "")).includes("illness"));
    evil.close();
    frame.close();
    // A hidden field that somebody changed leads nowhere.
    await desk.go("");
    await page.locator("#open-0").evaluate((it) => { it.form.elements.file.value = "../outside.csv"; });
    const refused = await desk.press(page.locator("#open-0"));
    assert.equal(refused.status(), 422);
    desk.wrong = desk.wrong.filter((it) => !/422/.test(it));
    await desk.says("outside the folder");
    assert.ok(!(await page.content()).includes("Outside99"));
    await desk.look("refused");
  },

  async "HTML in names and values stays text"(desk) {
    const { page } = desk;
    await page.locator("#start-0").click();
    await page.waitForURL("**/columns");
    for (const where of ["columns", "hierarchies", "principles", "explore", "release", "history"]) {
      await desk.go(where);
      await desk.look(where === "columns" ? "html" : "");
      assert.equal(await page.evaluate(() => window.hacked), undefined, where);
    }
    await desk.go("columns");
    await desk.says("<script>window.hacked = 1</script>");
  },

  async "the lattice and any of its nodes"(desk) {
    const { page } = desk;
    await desk.go("explore");
    await desk.press(page.locator("#draw-lattice"));
    await desk.says("minimal: satisfies it");
    await desk.says("Before and after");
    await desk.look("lattice");
    assert.equal(await page.locator(".lattice a").count(), 60);
    // The shape says what the color says.
    assert.equal(await page.locator(".lattice a path.best").count(), 1);
    await page.locator('.lattice a[aria-label*="does not satisfy"]').first().click();
    await page.waitForURL(/level=/);
    await desk.says("rows that would have to go");
    await desk.look("node");
    // Without a mouse: the marks that matter by Tab, every other node by its levels.
    await page.locator(".lattice a[tabindex='0']").first().focus();
    await page.keyboard.press("Enter");
    await desk.says("Before and after");
    for (const [at, level] of ["2", "1", "1"].entries()) await page.locator(`#node-level-${at}`).selectOption(level);
    await page.locator("#show-node").press("Enter");
    await page.waitForURL(/level=2&level=1&level=1/);
    await desk.says("age 2, zip 1, sex 1");
    await desk.hear("node");
    await desk.press(page.locator("#pin"));
    assert.match(desk.read("policy.toml"), /min_level = 2\nmax_level = 2/);
    await desk.says("1 node");
    await desk.press(page.locator("#undo"));
    assert.equal(desk.read("policy.toml"), POLICY);
    // Too many nodes for marks: layers as bars, and the way through the best one.
    fs.mkdirSync(path.join(desk.folder, "large"));
    assert.equal(desk.command("generate", "census", "--rows", "2000", "-o", "large/census.csv").status, 0);
    await desk.go("");
    await page.locator("li", { hasText: "large/policy.toml" }).locator("button").first().click();
    await page.waitForURL("**/columns");
    await desk.go("explore");
    await desk.press(page.locator("#draw-lattice"));
    await desk.says("minimal: satisfies it");
    await desk.says("Bars: how many nodes");
    assert.ok(await page.locator(".lattice a").count() < 400);
    await desk.look("large-lattice");
  },

  async "a tree by lines, and settings"(desk) {
    const { page } = desk;
    await desk.go("hierarchies");
    const sex = page.locator("section.hierarchy", { hasText: "sex" }).last();
    await sex.locator("summary").click();
    await sex.getByLabel("How", { exact: true }).selectOption("tree");
    assert.match(await sex.getByLabel("The tree").inputValue(), /^f\nm\n?$/);
    await sex.getByLabel("The tree").fill("person\n  f\n  m\n");
    await desk.says("This is how it would be");
    await desk.says("person");
    await desk.look("tree");
    await desk.press(sex.getByRole("button", { name: "Save" }).first());
    assert.match(desk.read("policy.toml"), /hierarchy = \{ tree = \{ "person" = \["f", "m"\] \} \}/);
    await desk.go("settings");
    await desk.look("settings");
    await page.locator("#recoding-suppressed").selectOption("starred");
    await desk.press(page.locator("#set-recoding"));
    await desk.says("Saved in the policy");
    assert.match(desk.read("policy.toml"), /suppressed = "starred"/);
    await desk.says("The policy can be used.");
    // A database that cannot be opened says why, and nothing was written.
    await desk.go("");
    await desk.says("Opened lately");
    await page.locator("#database-address").fill("postgresql://host/clinic");
    const refused = await desk.press(page.locator("#start-database"));
    assert.equal(refused.status(), 422);
    desk.wrong = desk.wrong.filter((it) => !/422/.test(it));
    await desk.says("E-DATABASE");
    assert.ok(!desk.exists("database.toml"));
    await desk.look("database");
  },

  /** A table of PostgreSQL, opened by its address: it is counted there, and the release is put there. */
  async "a table in a database"(desk) {
    const { page } = desk;
    const address = process.env.INDISTINCT_TEST_POSTGRESQL;
    const ask = (sql) => {
      const answer = spawnSync("psql", ["-qAt", "-v", "ON_ERROR_STOP=1", address, "-c", sql], { encoding: "utf8" });
      assert.equal(answer.status, 0, answer.stderr);
      return answer.stdout.trim();
    };
    ask(`DROP TABLE IF EXISTS people, people_released; CREATE TABLE people AS SELECT 'p' || i || '@example.org' AS mail, 20 + i * 7 % 60 AS age,
      10100 + i * 37 % 90 AS zip, (ARRAY['f', 'm'])[1 + i % 2] AS sex, (ARRAY['flu', 'ulcer', 'asthma', 'Zebra77'])[1 + i % 4] AS illness FROM generate_series(0, 599) AS i`);
    await desk.go("");
    await page.locator("#database-address").fill(address);
    await page.locator("#database-table").fill("people");
    await page.locator("#start-database").click();
    await page.waitForURL("**/columns");
    await desk.says("looks like e-mail addresses");
    for (const [at, role] of [[1, "quasi-identifier"], [2, "quasi-identifier"], [3, "quasi-identifier"], [4, "sensitive"]]) {
      const own = page.locator(`#role-${at}-${role}`);
      if (await own.getAttribute("aria-pressed") !== "true") await desk.press(own);
    }
    await desk.says("The policy can be used.");
    await desk.look("1-columns");
    await desk.go("settings");
    await page.locator("#output-table").fill("people_released");
    await desk.press(page.locator("#set-output"));
    assert.match(desk.read("database.toml"), /table = "people_released"/);
    await desk.go("release");
    await desk.press(page.locator("#release"));
    await desk.says("it holds what it claims");
    await desk.look("2-release");
    assert.equal(ask("SELECT string_agg(column_name, ',' ORDER BY ordinal_position) FROM information_schema.columns WHERE table_name = 'people_released'"), "age,zip,sex,illness");
    assert.ok(Number(ask("SELECT min(n) FROM (SELECT count(*) AS n FROM people_released GROUP BY age, zip, sex) AS classes")) >= 5);
    assert.equal(desk.command("verify", address, "--table", "people_released").status, 0);
  },

  /** What a reader hears of each page, and how soon there is something to be seen; the figures are printed, they are no limit. */
  async "what a screen reader hears, and the first paint"(desk) {
    const { page } = desk;
    const pages = ["", "columns", "hierarchies", "principles", "explore", "release", "ledger", "hand-over", "settings", "history"];
    const figures = [];
    for (const where of pages) {
      await desk.go(where);
      await page.waitForFunction(() => !document.querySelector(".waiting, .running"), null, { timeout: 60000 });
      const heard = await desk.hear(where || "open");
      assert.match(heard, /link "Skip to the content"/);
      await page.reload();
      figures.push(`${where || "open"} ${Math.round(await desk.painted())}`);
    }
    console.log(`       first paint, ms: ${figures.join(", ")}`);
    // The notice of a change is said once, in the live region.
    await desk.go("principles");
    await page.locator("#principle-0-k").fill("6");
    await desk.press(page.locator("#principle-0-set"));
    await page.waitForFunction(() => /Saved in the policy/.test(document.getElementById("live").textContent));
    const begun = Date.now();
    await page.locator("#principle-0-k").fill("7");
    await desk.press(page.locator("#principle-0-set"));
    await desk.says("within reach");
    console.log(`       another k, seen after ${Date.now() - begun} ms`);
  },

  async "an address without a session says what to do"(desk) {
    const context = await desk.browser.newContext();
    const tab = await context.newPage();
    await tab.goto(`${desk.base}/columns`);
    await tab.getByText("no session here").waitFor();
    const barriers = await tab.evaluate(`${axe}; axe.run()`);
    assert.deepEqual(barriers.violations.map((it) => it.id), []);
    await context.close();
  },
};

const html = () => {
  let text = '<script>window.hacked = 1</script>,"a""><img src=x onerror=window.hacked=2>",ward\n';
  for (let n = 0; n < 80; n++) text += `<b onclick=x>${n % 7}</b>,"</td><script>window.hacked = 3;${n % 3}</script>",${n % 4}\n`;
  return text;
};
const started = {
  "a table in a database": [{}, []],
  "from a table to a release": [{ "people.csv": table(600) }, []],
  "a run that is stopped": [{}, []],
  "HTML in names and values stays text": [{ "people.csv": html() }, []],
};

if (!found) {
  console.log("skipped: there is no Chromium here to try the studio in");
  process.exit(0);
}
fs.mkdirSync(options.keep, { recursive: true });
let passed = 0;
let failed = 0;
for (const [name, story] of Object.entries(stories)) {
  if (options.stories.length && !options.stories.some((it) => name.includes(it))) continue;
  if (name === "a table in a database" && !process.env.INDISTINCT_TEST_POSTGRESQL) {
    console.log(`left out: ${name} (.ci/databases has the server for it)`);
    continue;
  }
  const [files, args] = started[name] ?? [{ "people.csv": table(600), "policy.toml": POLICY }, ["policy.toml"]];
  const begun = Date.now();
  let desk;
  let why = "";
  try {
    desk = await Desk.open(name.replaceAll(" ", "-"), files, args);
    await story(desk);
  } catch (error) {
    why = `${error.stack}`;
    await desk?.page?.screenshot({ path: path.join(options.keep, `FAILED-${desk.name}.png`), fullPage: true }).catch(() => {});
  }
  try {
    await desk?.close();
  } catch (error) {
    why += `\n${error.message}`;
  }
  if (why) { failed += 1; console.log(`FAILS  ${name}\n${why}`); } else { passed += 1; console.log(`holds  ${name} (${((Date.now() - begun) / 1000).toFixed(1)} s)`); }
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
