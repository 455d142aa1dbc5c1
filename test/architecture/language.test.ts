import { readFileSync, readdirSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { describe, expect, it } from "vitest";
import { root, sources } from "./imports.js";

/**
 * Folders whose doc comments or names have yet to be rewritten. The test fails if an entry has no findings, so the list
 * can only shrink.
 */
const PENDING: readonly string[] = [];

/** First words that leave out the noun. A doc comment begins with a verb or the name of a thing. */
const HEADLESS = new Set(
  (
    "What Whatever Who Whoever Whose Whom Whether That Of Where Wherever How Which Whichever Those " +
    "By On In When If undefined Undefined For To With Without Under At As From Than Into Through " +
    "Because Until Among Beside Behind"
  ).split(" "),
);

/** Private words for the two kinds of conversation, which are called `stateless` and `session`. */
const PRIVATE_WORDS =
  /\bstands? alone\b|standsAlone|\b[Ss]tandalone(?!")|\bshaken\b|\.alone\b|\balone\??:|[{,] alone\b/;

/** Words that the glossary replaces with better ones: again, no client, a caller, receives. */
const ODD_WORDS = /\b(?:anew|nobody|somebody|hears?|heard)\b|\bwhat is no\b/i;

/** Requirement ids and other private codes, but not the names of known standards. */
const PRIVATE_IDS = /\b(?!UTF-|RFC-|SHA-|AES-|ISO-|ECMA-|MIT-)[A-Z]{2,}-\d+\b|\bX\d+\b|\bT\d\d\b/;

/** Participles that used to name exported types and have been replaced by noun phrases. */
const RENAMED = [
  "Asked",
  "Told",
  "Given",
  "Served",
  "Connected",
  "Added",
  "Making",
  "Needed",
  "Offered",
  "Parsed",
  "Verified",
  "Reported",
  "Found",
  "Placed",
  "Painted",
  "Traced",
  "Copied",
  "Evaluated",
  "Captured",
  "Accepted",
  "Registered",
  "Undeclared",
  "Unanswered",
  "Declared",
  "Standing",
  "Aging",
  "Pulse",
  "Courier",
];

interface Finding {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

const code = [...sources("generator"), ...sources("runtime")].map(read);
/** The tests, without the fixtures' schemas and without the test that is about doc comments of any wording. */
const tests = sources("test")
  .filter((file) => !/^test\/(?:fixtures\/|generator\/model-doc)/.test(file))
  .map(read);
const templates = below("templates", ".hbs").map(read);

describe("language", () => {
  it("doc comments begin with a noun or a verb: `True when …`, not `Whether …`", () => {
    const found = [...code, ...tests, ...templates].flatMap((source) =>
      docComments(source).filter(({ text }) => HEADLESS.has(/^[\w-]+/.exec(text)?.[0] ?? "")),
    );
    expect(report(found)).toBe("");
  });

  it("doc comments use the protocol's words: `receives`, `again`, `no client`", () => {
    const found = [...code, ...templates].flatMap((source) =>
      docComments(source).filter(({ text }) => ODD_WORDS.test(text)),
    );
    expect(report(found)).toBe("");
  });

  it("the two eras are called stateless and session", () => {
    expect(report(code.flatMap((source) => linesWith(source, PRIVATE_WORDS)))).toBe("");
  });

  it("exported types are noun phrases, not participles", () => {
    const pattern = new RegExp(
      `^export (?:abstract )?(?:class|interface|type) (?:${RENAMED.join("|")})\\b`,
    );
    expect(report(code.flatMap((source) => linesWith(source, pattern)))).toBe("");
  });

  it("users read no ids of requirements", () => {
    const pages = ["README.md", ...below("runtime", ".md")].map(read);
    const found = [...pages, ...code, ...templates].flatMap((source) =>
      linesWith(source, PRIVATE_IDS),
    );
    expect(report(found)).toBe("");
  });

  it("no folder is listed as pending that is finished", () => {
    const found = [
      ...[...code, ...tests].flatMap((source) =>
        docComments(source).filter(({ text }) => HEADLESS.has(/^[\w-]+/.exec(text)?.[0] ?? "")),
      ),
      ...code.flatMap((source) => linesWith(source, PRIVATE_WORDS)),
    ];
    const done = PENDING.filter((folder) => !found.some(({ file }) => file.startsWith(folder)));
    expect(done).toEqual([]);
  });
});

interface Source {
  readonly file: string;
  readonly text: string;
}

function read(file: string): Source {
  return { file, text: readFileSync(join(root, file), "utf8") };
}

function below(folder: string, ending: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .filter((file) => !/(^|\/)(dist|node_modules)\//.test(file))
    .toSorted();
}

/** Returns the doc comments of a file, each with its text on one line, including those of schemas in strings. */
function docComments({ file, text }: Source): Finding[] {
  return [...text.matchAll(/^[^\n"'`]*\/\*\*\s+(?:\*\s+)?([\s\S]*?)\s*\*\//gm)].map((match) => ({
    file,
    line: lineAt(text, match.index),
    text: match[1]!.replaceAll(/\s*\n\s*\*\s*/g, " "),
  }));
}

function linesWith({ file, text }: Source, pattern: RegExp): Finding[] {
  return text
    .split("\n")
    .flatMap((line, index) =>
      pattern.test(line) ? [{ file, line: index + 1, text: line.trim() }] : [],
    );
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}

/** Lists the findings, one per line; empty if there are none. */
function report(findings: readonly Finding[]): string {
  return findings
    .filter(({ file }) => !PENDING.some((folder) => file.startsWith(folder)))
    .map(({ file, line, text }) => `${file}:${line} ${text}`)
    .join("\n");
}
