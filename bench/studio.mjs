#!/usr/bin/env node
// The studio with a large table of 24 columns: first paint of each page, frames while the grid of
// rows scrolls, and the time until another k is visible in the grid.
//
// Creates the table with `indistinct generate census` and adds answers of a survey. Requires Node,
// Chromium, a program with the feature `studio`, and the tools of `.ci/studio`, which this script
// installs when it runs.
//
//     cargo build --release --features studio && .ci/studio "an address without a session"
//     bench/studio.mjs [--program target/release/indistinct] [--rows 1000000] [--distinct 40000]
//                      [--method METHOD] [--principles k]

import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import readline from "node:readline";

const target = process.env.CARGO_TARGET_DIR ?? "target";
const options = {
  program: `${target}/release/indistinct`,
  tools: `${target}/studio-tools`,
  rows: "1000000",
  distinct: "40000",
  method: "",
  principles: "all", // or only k-anonymity: "k"
};
for (let rest = process.argv.slice(2); rest.length; ) options[rest.shift().slice(2)] = rest.shift();
const program = path.resolve(options.program);
const { chromium } = createRequire(path.resolve(options.tools, "stories.mjs"))("playwright-core");
const found = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
  .flatMap((name) => process.env.PATH.split(":").map((folder) => path.join(folder, name)))
  .find((file) => fs.existsSync(file));
const N_COLUMNS = 24;
const N_RUNS = 7;

const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** Adds columns with small integers to a CSV file until it has 24 columns. Returns the names of the added columns. */
const widen = async (from, to) => {
  const lines = readline.createInterface({ input: fs.createReadStream(from) });
  const out = fs.createWriteStream(to);
  let added = [];
  let state = 1;
  let part = [];
  for await (const line of lines) {
    if (!added.length) {
      added = Array.from({ length: N_COLUMNS - line.split(",").length }, (_, at) => `answer${at + 1}`);
      part.push([line, ...added].join(","));
      continue;
    }
    let text = line;
    for (let at = 0; at < added.length; at++) {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0;
      text += `,${(state >>> 16) % 11}`;
    }
    part.push(text);
    if (part.length < 5000) continue;
    if (!out.write(part.join("\n") + "\n")) await new Promise((give) => out.once("drain", give));
    part = [];
  }
  await new Promise((give) => out.end(part.length ? part.join("\n") + "\n" : "", give));
  return added;
};

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "studio-bench-"));
const file = (name) => path.join(folder, name);
const run = (...words) => {
  const done = spawnSync(program, words, { cwd: folder, encoding: "utf8" });
  if (done.status !== 0) throw new Error(done.stderr);
};

const prepare = async () => {
  run("generate", "census", "--rows", options.rows, "--distinct", options.distinct, "-o", "narrow.csv");
  const added = await widen(file("narrow.csv"), file("wide.csv"));
  fs.rmSync(file("narrow.csv"));
  let policy = fs.readFileSync(file("policy.toml"), "utf8").replace("narrow.csv", "wide.csv");
  if (options.method) policy = policy.replace(/^method = .*$/m, `method = "${options.method}"`);
  if (options.principles === "k") {
    const diversity = /^\[\[principles\]\]\nkind = "recursive-diversity"\n(.+\n)+/m;
    policy = policy.replace(diversity, "");
  }
  // The answers are synthetic, so rows that they single out belong to no person.
  policy += `\n[release]\ninsensitive_reason = "synthetic answers"\n`;
  policy += added.map((name) => `\n[attributes.${name}]\nrole = "insensitive"\n`).join("");
  fs.writeFileSync(file("policy.toml"), policy);
};

/** Starts the studio, and returns its process and its one-time address. */
const start = () =>
  new Promise((give) => {
    const env = { ...process.env, XDG_STATE_HOME: file("state") };
    const studio = spawn(program, ["studio", "policy.toml", "--no-browser"], {
      cwd: folder,
      env,
      stdio: ["pipe", "pipe", "inherit"],
    });
    readline.createInterface({ input: studio.stdout }).once("line", (line) => give([studio, line.slice(line.indexOf("http"))]));
  });

const quiet = (page) =>
  page.waitForFunction(
    () => document.body?.dataset.ready !== undefined && !document.querySelector(".waiting, .running, .htmx-request"),
    null,
    { timeout: 300000 },
  );

const firstPaint = (page) =>
  page.evaluate(
    () =>
      new Promise((give) => {
        const find = () => performance.getEntriesByName("first-contentful-paint")[0];
        if (find()) give(find().startTime);
        else new PerformanceObserver(() => find() && give(find().startTime)).observe({ type: "paint", buffered: true });
      }),
  );

/** Scrolls the grid by a number of pixels in each frame, and returns the times between the frames. */
const scroll = (page, step) =>
  page.evaluate(
    (step) =>
      new Promise((give) => {
        const grid = document.getElementById("grid");
        const times = [];
        const next = (time) => {
          times.push(time);
          if (times.length > 300) {
            give(times.slice(1).map((it, at) => it - times[at]));
            return;
          }
          grid.scrollTop += step;
          requestAnimationFrame(next);
        };
        grid.scrollTop = 0;
        requestAnimationFrame(next);
      }),
    step,
  );

const main = async () => {
  await prepare();
  const [studio, address] = await start();
  const browser = await chromium.launch({ executablePath: found, chromiumSandbox: false, args: ["--disable-gpu"] });
  try {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    await page.goto(address);
    await page.waitForURL((url) => !url.search.includes("token"));
    const { origin } = new URL(address);
    const go = (where, of = page) => of.goto(`${origin}/${where}`);
    console.log(`${options.rows} rows, ${options.distinct} tuples, ${N_COLUMNS} columns`);

    console.log("page: first visit, painted and whole; further visits, painted and answered (ms)");
    for (const where of ["columns", "guide", "hierarchies", "principles", "rows", "explore", "release", "settings", "history"]) {
      const begun = performance.now();
      await go(where);
      const first = await firstPaint(page);
      await quiet(page);
      const whole = performance.now() - begun;
      const [paints, answers] = [[], []];
      for (let n = 0; n < N_RUNS; n++) {
        await go(where);
        paints.push(await firstPaint(page));
        answers.push(await page.evaluate(() => performance.getEntriesByType("navigation")[0].responseStart));
        await quiet(page);
      }
      const figures = [first, whole, median(paints), median(answers)].map(Math.round);
      console.log(`  ${where}: ${figures[0]} and ${figures[1]}; ${figures[2]} and ${figures[3]}`);
    }

    await go("rows?view=difference");
    await quiet(page);
    let begun = performance.now();
    await page.locator("#preview-rows").click();
    await page.locator("#grid").waitFor({ timeout: 300000 });
    console.log(`preview of the rows, first search: ${Math.round(performance.now() - begun)} ms`);
    await quiet(page);
    for (const [name, step] of [["a line", 32], ["ten lines", 320], ["many chunks", 20000]]) {
      const frames = await scroll(page, step);
      const late = frames.filter((it) => it > 20).length;
      console.log(
        `scrolling by ${name} in each frame: median ${median(frames).toFixed(1)} ms, longest ${Math.max(...frames).toFixed(1)} ms, ${late} of ${frames.length} frames late`,
      );
    }

    // The grid is visible in a second tab while k changes in the first one.
    const grid = await context.newPage();
    await go("rows?view=difference", grid);
    await quiet(grid);
    await go("principles");
    await quiet(page);
    const times = [];
    const shown = () => grid.evaluate(() => document.getElementById("page").dataset.sequence);
    for (let n = 0; n < N_RUNS; n++) {
      const before = await shown();
      const isNew = grid.evaluate(
        (before) =>
          new Promise((give) => {
            const look = () => {
              const isChanged = document.getElementById("page").dataset.sequence !== before;
              if (isChanged && document.getElementById("grid") && !document.querySelector(".waiting")) give(Date.now());
              else requestAnimationFrame(look);
            };
            look();
          }),
        before,
      );
      const clicked = await page.evaluate((k) => {
        document.getElementById("principle-0-k").value = `${k}`;
        document.getElementById("principle-0-set").click();
        return Date.now();
      }, 6 + n);
      times.push((await isNew) - clicked);
      await quiet(page);
      await quiet(grid);
    }
    console.log(`another k in the grid: ${times.join(", ")} ms; median ${median(times)} ms`);
  } finally {
    await browser.close();
    studio.kill("SIGTERM");
    fs.rmSync(folder, { recursive: true, force: true });
  }
};
await main();
