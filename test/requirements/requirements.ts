import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const tests = join(here, "..");

/** A line on a requirement page. */
export interface Requirement {
  readonly id: string;
  readonly level: string;
  /** The side that it binds. */
  readonly who: string;
  readonly revisions: string;
  readonly sentence: string;
  readonly page: string;
}

/** Requirements without their own test, each with a reason or with the ids whose tests cover it. */
export interface NotTested {
  readonly ids: readonly string[];
  readonly reason?: string;
  readonly shownBy?: readonly string[];
}

const LINE = /^- \*\*([A-Z]+-?\d+)\*\* \(([A-Z ]+); ([^;]+); (.+?)\): (.+)$/;

/** Returns all requirements on all pages, in page order. */
export function requirements(): Requirement[] {
  return pages().flatMap((page) =>
    linesOf(page).flatMap((line) => {
      const [, id, level, who = "", revisions = "", sentence] = LINE.exec(line) ?? [];
      return id && level && sentence ? [{ id, level, who, revisions, sentence, page }] : [];
    }),
  );
}

/** Returns the lines that begin like a requirement but are not written like one. */
export function malformedLines(): string[] {
  return pages().flatMap((page) =>
    linesOf(page)
      .filter((line) => line.startsWith("- **") && !LINE.test(line))
      .map((line) => `${page}: ${line}`),
  );
}

/** Pages about the requirements that define none themselves. */
const NO_PAGES = new Set(["README.md", "known-gaps.md"]);

const pages = (): string[] =>
  readdirSync(here).filter((name) => name.endsWith(".md") && !NO_PAGES.has(name));

/** An entry on the page of known gaps. Its title is that of an entry on the page for users. */
export interface KnownGap {
  readonly title: string;
  readonly ids: readonly string[];
}

export const knownGaps = (): KnownGap[] =>
  entriesOf(linesOf("known-gaps.md")).map(({ title, rest }) => ({
    title,
    ids: rest.slice(0, rest.indexOf(":")).match(new RegExp(ID, "g")) ?? [],
  }));

/**
 * Returns the titles of the known gaps that the documentation admits, except those in the sections about the product.
 */
export function admittedGaps(): string[] {
  const text = readFileSync(join(tests, "../runtime/docs/known-gaps.md"), "utf8");
  const [, section = ""] = text.split("## Differences from the specification\n");
  return entriesOf(section.split("\n## ")[0]!.split("\n")).map(({ title }) => title);
}

const entriesOf = (lines: readonly string[]): { title: string; rest: string }[] =>
  lines
    .filter((line) => line.startsWith("- "))
    .map((line) => {
      const [, title = line, rest = ""] = /^- \*\*(.+?)\*\*(.*)$/.exec(line) ?? [];
      return { title, rest };
    });

const linesOf = (page: string): string[] => readFileSync(join(here, page), "utf8").split("\n");

export const notTested = (): NotTested[] =>
  JSON.parse(readFileSync(join(here, "not-tested.json"), "utf8")) as NotTested[];

const ID = "[A-Z]{1,6}-?\\d{1,3}";
/** Matches a list of ids in brackets at the end of a string, or a single id as the label of a table row. */
const CITATION = new RegExp(`\\(((?:(?:${ID}|%s)(?:, )?)+)\\)["\`]|^\\s*\\["(${ID})",`, "gm");

/** Returns the ids that test titles cite, each with the files that cite it. */
export function citations(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const file of testFiles())
    for (const [, list, label] of readFileSync(join(tests, file), "utf8").matchAll(CITATION))
      for (const id of (list ?? label ?? "").match(new RegExp(ID, "g")) ?? [])
        found.set(id, (found.get(id) ?? new Set()).add(file));
  return found;
}

/** Returns the titles that begin with an id, which belongs after the sentence. */
export function titlesWithLeadingIds(): string[] {
  const title = new RegExp(
    `\\b(?:it|test|describe)\\b[^"\`\\n]*\\(\\s*["\`](${ID}[:, ][^"\`]*)`,
    "g",
  );
  return testFiles().flatMap((file) =>
    [...readFileSync(join(tests, file), "utf8").matchAll(title)].map(
      ([, text]) => `${file}: ${text}`,
    ),
  );
}

function testFiles(): string[] {
  const skipped = /(^|[/\\])(node_modules|dist|bench|requirements)[/\\]/;
  return readdirSync(tests, { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".ts") && !skipped.test(name),
  );
}
