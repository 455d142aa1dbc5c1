import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openProgress } from "../../generator/cli/progress.js";
import { distanceBetween, nearest, suggest } from "../../generator/cli/suggest.js";
import {
  alignRows,
  paint,
  renderJson,
  renderText,
  showBytes,
  showTime,
  wrapColumns,
} from "../../generator/cli/text.js";
import { type Environment, openTerminal } from "../../generator/cli/terminal.js";

function streams(isTTY: boolean, env: Environment = {}) {
  const written = { out: "", err: "" };
  const stream = (name: "out" | "err") => ({
    isTTY,
    columns: 40,
    write: (text: string) => (written[name] += text),
  });
  return { written, terminal: openTerminal(stream("out"), stream("err"), env) };
}

function isColored(isTTY: boolean, env: Environment): boolean {
  const { written, terminal } = streams(isTTY, env);
  terminal.print(paint("red", "x"));
  return written.out.includes("\u001b");
}

describe("text for a terminal", () => {
  it("has styles only with colour", () => {
    const text = ["a ", paint("red", "b"), [" ", paint("bold", "")]];
    expect(renderText(text, true)).toBe("a \u001b[31mb\u001b[39m \u001b[1m\u001b[22m");
    expect(renderText(text, false)).toBe("a b ");
  });

  it("makes control and reordering characters visible, also in styled text (S09)", () => {
    const evil = "\u001b[31m\r\u0007\u009b\u202e\u2066";
    const expected = "\\u{1b}[31m\\u{d}\\u{7}\\u{9b}\\u{202e}\\u{2066}";
    expect(renderText(`a\n${evil}`, false)).toBe(`a\n${expected}`);
    expect(renderText(paint("red", evil), true)).toBe(`\u001b[31m${expected}\u001b[39m`);
  });

  it("escapes them in JSON, which reads back the same (S09)", () => {
    const value = { evil: "\u001b\u009b\u202e\u{e0001}\n\t\u2028" };
    const text = renderJson(value, 2);
    expect(text).toMatch(/^\{\n {2}"evil": "[ -~]+"\n\}$/);
    expect(JSON.parse(text)).toEqual(value);
  });

  it("has colours by terminal, NO_COLOR and FORCE_COLOR", () => {
    expect(isColored(true, {})).toBe(true);
    expect(isColored(false, {})).toBe(false);
    expect(isColored(true, { NO_COLOR: "1" })).toBe(false);
    expect(isColored(true, { NO_COLOR: "" })).toBe(true);
    expect(isColored(true, { TERM: "dumb" })).toBe(false);
    expect(isColored(false, { FORCE_COLOR: "1" })).toBe(true);
    expect(isColored(true, { FORCE_COLOR: "0" })).toBe(false);
    expect(isColored(true, { FORCE_COLOR: "1", NO_COLOR: "1" })).toBe(false);
  });
});

describe("progress", () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
  afterEach(() => vi.useRealTimers());

  it("shows nothing for quick steps", () => {
    const { written, terminal } = streams(true);
    const progress = openProgress(terminal);
    progress.step("Generating");
    vi.advanceTimersByTime(299);
    progress.end();
    vi.advanceTimersByTime(1000);
    expect(written).toEqual({ out: "", err: "" });
  });

  it("shows a step after 300 ms, the next steps at once, and clears them at the end", () => {
    const { written, terminal } = streams(true);
    const progress = openProgress(terminal);
    progress.step("One");
    vi.advanceTimersByTime(300);
    expect(written.err).toBe("One …");
    progress.step("Two");
    expect(written.err).toBe("One …\r\u001b[KTwo …");
    terminal.print("result");
    expect(written).toEqual({ out: "result\n", err: "One …\r\u001b[KTwo …\r\u001b[K" });
    progress.end();
    expect(written.err).toBe("One …\r\u001b[KTwo …\r\u001b[K");
  });

  it("stays within the width of the terminal", () => {
    const { written, terminal } = streams(true);
    terminal.transient("x".repeat(100));
    expect(written.err).toBe("x".repeat(39));
  });

  it("shows nothing without a terminal", () => {
    const { written, terminal } = streams(false);
    const progress = openProgress(terminal);
    progress.step("One");
    vi.advanceTimersByTime(1000);
    progress.step("Two");
    progress.end();
    expect(written).toEqual({ out: "", err: "" });
  });
});

describe("suggestions", () => {
  it.each([
    ["", "", 0],
    ["abc", "", 3],
    ["list", "lsit", 1],
    ["list", "lst", 1],
    ["kitten", "sitting", 3],
  ])("from %j to %j have the distance %i", (a, b, distance) => {
    expect(distanceBetween(a, b)).toBe(distance);
    expect(distanceBetween(b, a)).toBe(distance);
  });

  it("include a few similar names, and ignore case", () => {
    const known = ["2024-11-05", "2025-03-26", "2025-06-18", "CallToolResult", "CallToolRequest"];
    expect(nearest("2025-03-62", known)).toEqual(["2025-03-26"]);
    expect(nearest("calltoolresult", known)).toEqual(["CallToolResult"]);
    expect(nearest("banana", known)).toEqual([]);
    expect(nearest("x", ["a", "b", "c", "d"])).toEqual(["a", "b", "c"]);
  });

  it("form a sentence", () => {
    expect(suggest("aa", ["ab", "ac", "ad"])).toBe('Did you mean "ab", "ac" or "ad"?');
    expect(suggest("ab", ["abc"])).toBe('Did you mean "abc"?');
    expect(suggest("ab", ["xyz"])).toBeUndefined();
  });
});

describe("tables", () => {
  it("aligns columns and trims line ends", () => {
    expect(
      alignRows([
        ["a", "b", ""],
        ["long", "", "c"],
      ]),
    ).toEqual(["a     b", "long     c"]);
  });

  it("wraps long cells below themselves", () => {
    const rows = [
      ["-a", "one two three four five six"],
      ["--long", "short"],
    ] as const;
    expect(wrapColumns(rows, 32)).toEqual([
      "  -a      one two three four",
      "          five six",
      "  --long  short",
    ]);
  });
});

describe("units", () => {
  it("shows sizes and durations in readable units", () => {
    expect([0, 999, 1000, 61_499, 1_250_000].map(showBytes)).toEqual([
      "0 B",
      "999 B",
      "1 kB",
      "61 kB",
      "1.3 MB",
    ]);
    expect([0.4, 240, 999.4, 1000, 1449].map(showTime)).toEqual([
      "0 ms",
      "240 ms",
      "999 ms",
      "1.0 s",
      "1.4 s",
    ]);
  });
});
