import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import type { Finding } from "@mcp-codegen/testing/checks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cli, cliJson } from "../../cli/cli.js";
import { type Browser, type Page, startBrowser, whyNoBrowser } from "./chromium.js";
import { hostile, long, session, stateless, tapeOf } from "./tapes.js";

const folder = mkdtempSync(join(tmpdir(), "show-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = (name: string): string => join(folder, name);

const TAPES = {
  session: tapeOf(session),
  stateless: tapeOf(stateless, { transport: "http", url: "https://example.com/mcp" }),
  long: tapeOf(long(10_000)),
  hostile: hostile(10 * 1024 * 1024),
};

beforeAll(async () => {
  for (const [name, text] of Object.entries(TAPES)) {
    writeFileSync(file(`${name}.tape.jsonl`), text);
    const { code, stderr } = await cli(["show", `${name}.tape.jsonl`], { cwd: folder });
    if (code !== 0) throw new Error(stderr);
  }
  await cli(["show", "--out", "empty.html"], { cwd: folder });
});

it("the program of the page has at most 150 kB, and names no other host", () => {
  const page = readFileSync(file("empty.html"));
  expect(gzipSync(page, { level: 9 }).length).toBeLessThan(150_000);
  expect(page.toString()).toContain("default-src 'none'; script-src 'sha256-");
  expect(page.toString()).not.toMatch(/(?:src|href)="(?!data:,)/);
});

describe.skipIf(whyNoBrowser)(
  `the page in a browser${whyNoBrowser ? `: ${whyNoBrowser}` : ""}`,
  () => {
    let browser: Browser;
    let page: Page;
    beforeAll(async () => {
      browser = await startBrowser();
    });
    afterAll(() => browser.close());

    const open = async (name: string, width = 1200): Promise<void> => {
      page = await browser.page();
      await page.size(width, 800);
      await page.open(pathToFileURL(file(`${name}.html`)).href);
      await expect.poll(() => page.value("document.readyState")).toBe("complete");
      if (name === "empty") return;
      await expect.poll(() => text("[aria-selected=true]")).not.toBe("");
      await expect.poll(() => text(".status")).toContain("message");
    };
    const text = (selector: string): Promise<string> =>
      page.value(`document.querySelector(${JSON.stringify(selector)})?.textContent ?? ""`);
    const number = (selector: string): Promise<number> =>
      page.value(`document.querySelectorAll(${JSON.stringify(selector)}).length`);
    const press = async (...keys: string[]): Promise<void> => {
      for (const key of keys) await page.press(key);
    };
    const isQuiet = (): void => {
      expect(page.messages).toEqual([]);
      expect(page.requests.filter((url) => !url.startsWith("file:") && url !== "data:,")).toEqual(
        [],
      );
      expect(page.requests.filter((url) => url.startsWith("file:"))).toHaveLength(1);
    };

    it("shows each finding of check-tape at its line and pointer, by the key n", async () => {
      const { json } = await cliJson(["check-tape", "session.tape.jsonl"], { cwd: folder });
      const findings = json["findings"] as readonly Finding[];
      await open("session");
      const shown: string[] = [];
      const lines = new Set(findings.map(({ n }) => n));
      for (let step = 0; step < lines.size; step++) {
        await press("n");
        const line = /line (\d+)/.exec(await text(".facts"))?.[1];
        const ids = await page.value<string[]>(
          `[...document.querySelectorAll(".about > .findings li p:first-child")].map((one) => one.textContent)`,
        );
        shown.push(...ids.map((id) => `${line} ${id.trim()}`));
      }
      expect(shown.toSorted()).toEqual(
        findings
          .map(({ n, severity, id, pointer }) => `${n! + 1} ${severity} ${id} ${pointer}`.trim())
          .toSorted(),
      );
      await press("n");
      expect(await text(".facts")).toContain(`line ${findings[0]!.n! + 1}`);
      isQuiet();
    });

    it("marks the place of a finding in the tree", async () => {
      await open("session");
      await press("n", "n");
      const note = await text(`[data-pointer="/result/tools/0/annotations/readOnlyHint"] .note`);
      expect(note).toBe('expected boolean, received "yes"');
    });

    it("has only the rows in view in the document", async () => {
      await open("long");
      expect(await text(".status")).toBe("10,000 messages");
      expect(await number(".row")).toBeLessThan(80);
      await press("End");
      await expect.poll(() => text("[aria-selected=true] .method")).not.toBe("");
      expect(await text(".facts")).toMatch(/line 10,?001/);
      expect(await number(".row")).toBeLessThan(80);
      isQuiet();
    });

    it("moves, folds and filters by the keyboard", async () => {
      await open("session");
      await press(..."ArrowDown,ArrowDown,ArrowDown,ArrowDown,ArrowDown,ArrowDown".split(","));
      expect(await text("[aria-selected=true]")).toContain("6 messages");
      const before = await number(".row");
      await press("ArrowLeft");
      expect(await number(".row")).toBe(before - 5);
      await press("ArrowRight", "ArrowRight");
      expect(await text(".about h2")).toBe("notifications/progress");
      await press("ArrowLeft");
      expect(await text(".about h2")).toBe("tools/call deploy");
      await press("/");
      await page.type("time>soon");
      expect(await text("#filter-problem")).toContain("time needs a number");
      expect(await number(".row")).toBeGreaterThan(10);
      await page.value(`document.getElementById("filter").value = ""`);
      await page.type("error from:server time>500");
      await expect.poll(() => text(".status")).toBe("1 of 27 messages");
      await press("Escape", "ArrowDown", "2");
      expect(await text("[role=tab][aria-selected=true]")).toBe("At revision");
      await press("3");
      expect(await text("[role=tabpanel]")).toContain("No HTTP");
      isQuiet();
    });

    it("zooms the strip of time by the keyboard and by the wheel, and follows the selected message", async () => {
      await open("long");
      const shown = async (): Promise<readonly string[]> =>
        / from (.+) to (.+)$/
          .exec(await page.value(`document.querySelector("canvas").getAttribute("aria-label")`))
          ?.slice(1) ?? [];
      expect(await shown()).toEqual([]);
      await press("+", "+");
      const [begin, middle] = await shown();
      expect(begin).toBe("0 ms");
      await press("End");
      await expect.poll(shown).not.toContain(begin);
      expect(await shown()).not.toContain(middle);
      await press("0");
      expect(await shown()).toEqual([]);
      await page.value(`void document.querySelector("canvas").dispatchEvent(
        new WheelEvent("wheel", { deltaY: -400, clientX: 600, cancelable: true }))`);
      expect(await shown()).toHaveLength(2);
      await page.value(`document.querySelector(".timeline button").click()`);
      expect(await shown()).toEqual([]);
      isQuiet();
    });

    it("shows a message at other revisions, with what is lost", async () => {
      await open("session");
      await press("/");
      await page.type('kind:result "audio"');
      await press("Enter", "ArrowDown", "ArrowDown", "2");
      await page.value(
        `{ const target = document.getElementById("target"); target.value = [...target.options].at(-1).value; target.dispatchEvent(new Event("change")); }`,
      );
      expect(await text("[role=tabpanel] .findings")).toContain(
        "kind of content that this revision does not have",
      );
      expect(await number(".node.changed, .node.added")).toBeGreaterThan(0);
      isQuiet();
    });

    it("shows the header fields of HTTP", async () => {
      await open("stateless");
      await press("3");
      expect(await text("[role=tabpanel] table")).toContain("accept*/*");
      expect(await text(".chip")).toBe("login");
    });

    it("never turns what a tape contains into markup", async () => {
      await open("hostile");
      const rows = Number(/\d+/.exec(await text(".status"))?.[0]);
      for (let row = 0; row < rows; row++) await press("1", "2", "3", "ArrowDown");
      await press("1", "f", "n");
      await page.value(`document.querySelectorAll("details").forEach((one) => (one.open = true))`);
      await page.value(`document.querySelectorAll(".more").forEach((one) => one.click())`);
      expect(await page.value("document.title")).toBe("hostile.tape.jsonl – tape");
      expect(await page.value("({}).owned === undefined")).toBe(true);
      expect(await number("img, svg, b, iframe, script[src]")).toBe(0);
      expect(await page.value(`/[\\u202e\\u2028]/.test(document.body.innerText)`)).toBe(false);
      isQuiet();
    });

    const drop = (content: string): Promise<unknown> =>
      page.value(
        `{ const data = new DataTransfer(); data.items.add(new File([${JSON.stringify(content)}], "b.jsonl")); document.dispatchEvent(new DragEvent("drop", { dataTransfer: data })); }`,
      );

    it("opens a tape that is dropped into it, and says what is wrong with another file", async () => {
      await open("empty");
      await drop("no tape\n");
      await expect.poll(() => text("[role=alert]")).toBe("Line 1 of the tape: it is not JSON.");
      await drop(TAPES.session);
      await expect.poll(() => text("h1")).toBe("b.jsonl");
      expect(await text(".status")).toBe("27 messages");
      await drop(`${TAPES.session}{ "n": 0 }\n`);
      await expect.poll(() => text(".status")).toContain("Line 29 of the tape: `n` must be");
      isQuiet();
    });

    it.each([320, 700, 1200])("fits into %i pixels", async (width) => {
      await open("session", width);
      await press("n");
      expect(await page.value("document.documentElement.scrollWidth")).toBe(width);
      expect(await page.value("document.documentElement.scrollHeight")).toBe(800);
      const overlong = await page.value(
        `[...document.querySelectorAll(".row, .top, .bar, .about")].filter((one) => one.getBoundingClientRect().right > ${width} + 1).length`,
      );
      expect(overlong).toBe(0);
    });

    const axe = axeSource();
    describe.skipIf(axe === undefined)(
      `by axe-core${axe === undefined ? ": it is not installed" : ""}`,
      () => {
        it.each([
          ["light", "session", 1200],
          ["dark", "session", 1200],
          ["light", "stateless", 320],
          ["dark", "empty", 700],
        ] as const)("has no violation: %s, %s, %i pixels", async (scheme, name, width) => {
          await open(name, width);
          await page.scheme(scheme);
          for (const key of ["n", "2", "3", "1"]) {
            await press(key);
            await page.value(axe!);
            const violations = await page.value(
              `axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + " " + html.slice(0, 200))))`,
            );
            expect(violations).toEqual([]);
          }
        });
      },
    );
  },
);

/**
 * Returns the axe-core script, from the path in `AXE` or else from the installed package; undefined if there is none.
 */
function axeSource(): string | undefined {
  try {
    return readFileSync(
      process.env["AXE"] ?? createRequire(import.meta.url).resolve("axe-core"),
      "utf8",
    );
  } catch {
    return undefined;
  }
}
