import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../../generator/diagnostics.js";
import { spanBetween } from "../../generator/position.js";
import { renderReport } from "../../generator/report/report.js";

/** Creates a diagnostic about the text between « and ». */
function about(marked: string, extra: Partial<Diagnostic> = {}) {
  const start = marked.indexOf("«");
  const end = marked.indexOf("»") - 1;
  const text = marked.replace(/[«»]/g, "");
  const diagnostic: Diagnostic = {
    code: "MCG2000",
    severity: "error",
    message: "Wrong.",
    file: "schema.ts",
    span: spanBetween(text, start, end),
    ...extra,
  };
  return { text, diagnostic };
}

/** Returns the report without its first line. */
function frame(marked: string): string[] {
  const { text, diagnostic } = about(marked);
  return renderReport([diagnostic], { sourceText: () => text })
    .split("\n")
    .slice(1, -1);
}

describe("a report", () => {
  it("prints lines like tsc, with a code frame and a hint", () => {
    const { text, diagnostic } = about("one\nexport «enum» A {}", { hint: "Do this." });
    expect(renderReport([diagnostic], { sourceText: () => text })).toBe(
      [
        "schema.ts:2:8 - error MCG2000: Wrong.",
        " 2 | export enum A {}",
        "   |        ^^^^",
        "  hint: Do this.",
        "",
      ].join("\n"),
    );
  });

  it("omits unknown parts", () => {
    const { diagnostic } = about("«a»");
    expect(renderReport([diagnostic])).toBe("schema.ts:1:1 - error MCG2000: Wrong.\n");
    const { span: _, ...whole } = diagnostic;
    expect(renderReport([{ ...whole, severity: "warning" }])).toBe(
      "schema.ts - warning MCG2000: Wrong.\n",
    );
    const { file: __, ...nowhere } = whole;
    expect(renderReport([nowhere])).toBe("error MCG2000: Wrong.\n");
    expect(renderReport([])).toBe("");
  });

  it("follows the file from top to bottom, and files in their order", () => {
    const at = (file: string, start: number, code: string) =>
      about("«a»", { file, code, span: { line: 1, column: start + 1, start, end: start + 1 } });
    const { span: _, ...whole } = about("«a»", { code: "MCG3" }).diagnostic;
    const diagnostics = [
      at("b.ts", 5, "MCG1").diagnostic,
      at("schema.ts", 9, "MCG2").diagnostic,
      whole,
      at("b.ts", 1, "MCG4").diagnostic,
    ];
    expect(renderReport(diagnostics).match(/MCG\d/g)).toEqual(["MCG4", "MCG1", "MCG3", "MCG2"]);
    expect(renderReport(diagnostics, { limit: 1 })).toBe(
      "b.ts:1:2 - error MCG4: Wrong.\n\n… and 3 more.\n",
    );
  });

  it("has colours only if an option says so", () => {
    const { text, diagnostic } = about("«a»", { hint: "Do." });
    const options = { sourceText: () => text };
    expect(renderReport([diagnostic], options)).not.toContain("\u001b");
    const colored = renderReport([diagnostic], { ...options, color: true });
    expect(colored).toContain("\u001b[31merror\u001b[39m");
    expect(stripVTControlCharacters(colored)).toBe(renderReport([diagnostic], options));
  });
});

describe("a code frame", () => {
  it("shows a span over several lines", () => {
    expect(frame("a «b\n  c\n\n d»e")).toEqual([
      " 1 | a b",
      "   |   ^",
      " 2 |   c",
      "   |   ^",
      " 3 | ",
      " 4 |  de",
      "   |  ^",
    ]);
  });

  it("shows only the ends of a long span", () => {
    expect(frame(`${"\n".repeat(7)}«1\n2\n3\n4\n5»`)).toEqual([
      "  8 | 1",
      "    | ^",
      "  9 | 2",
      "    | ^",
      "   …",
      " 11 | 4",
      "    | ^",
      " 12 | 5",
      "    | ^",
    ]);
  });

  it.each([
    ["an empty span", "ab«»c", " 1 | abc", "   |   ^"],
    ["the end of the text", "ab«»", " 1 | ab", "   |   ^"],
    ["tabs", "\ta\t«b\t»c", " 1 |     a    b    c", "   |          ^^^^^"],
    ["Windows line ends", "a\r\n«b»\r\nc", " 2 | b", "   | ^"],
    ["wide characters", "日本«語»", " 1 | 日本語", "   |     ^^"],
    ["combining characters", "e\u0301«a»", " 1 | e\u0301a", "   |  ^"],
    ["terminal codes", "\u001b[31m«a»", " 1 | \\u{1b}[31ma", "   |           ^"],
    ["text direction", "\u202e«a»", " 1 | \\u{202e}a", "   |         ^"],
    ["lone surrogates", "\ud800«a»", " 1 | \\u{d800}a", "   |         ^"],
  ])("is correct for %s", (_, marked, source, mark) => {
    expect(frame(marked)).toEqual([source, mark]);
  });

  it("cuts long lines around the marked span", () => {
    const [source, mark] = frame(`${"a".repeat(1e6)}«B»${"c".repeat(1e6)}`);
    expect(source).toBe(` 1 | …${"a".repeat(40)}B${"c".repeat(79)}…`);
    expect(mark!.indexOf("^")).toBe(source!.indexOf("B"));
    expect(frame(`«${"a".repeat(1e6)}»`)[1]).toBe(`   | ${"^".repeat(120)}`);
    const [emoji] = frame(`${"😀".repeat(100)}«B»`);
    expect(emoji).not.toContain("\\u{");
  });

  it("does not count a byte order mark", () => {
    const { text, diagnostic } = about("«a»b");
    const report = renderReport([diagnostic], { sourceText: () => `\uFEFF${text}` });
    expect(report.split("\n").slice(1, -1)).toEqual([" 1 | ab", "   | ^"]);
  });

  it("is empty for a place outside the text", () => {
    const { diagnostic } = about("a\nb\n«c»");
    expect(renderReport([diagnostic], { sourceText: () => "a" }).split("\n")).toHaveLength(2);
  });
});

it("messages, hints and file names cannot forge output", () => {
  const forged = "a\nerror\u001b[2J\u202e";
  const { diagnostic } = about("«a»", { message: forged, hint: forged, file: forged });
  const report = renderReport([diagnostic]);
  expect(report.split("\n")).toHaveLength(3);
  expect([..."\u001b\u202e"].filter((character) => report.includes(character))).toEqual([]);
});
