import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { requirements } from "./requirements.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const defined = new Set(requirements().map(({ id }) => id));

/**
 * Matches ids with a hyphen anywhere, and short ids in brackets only: outside brackets, a short one may be any name.
 */
const ID = /\b[A-Z]{2,6}-\d\d\b|(?<=\()[A-Z]\d{1,2}(?=[,)])/g;

const idsIn = (file: string): string[] =>
  (readFileSync(join(root, file), "utf8").match(ID) ?? []).filter((id) => defined.has(id));

function filesUnder(folder: string, pattern: RegExp): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && pattern.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((name) => !/(^|[/\\])(node_modules|dist)[/\\]/.test(name));
}

it.each([
  [
    "documents",
    ["README.md", ...filesUnder("runtime", /\.md$/), ...filesUnder("generated", /\.md$/)],
  ],
  [
    "code, which has all error texts",
    ["runtime", "generator"].flatMap((one) => filesUnder(one, /\.ts$/)),
  ],
  ["templates", filesUnder("templates", /\.[a-z]+$/)],
])("users read no requirement ids in %s", (_, files) => {
  expect(files.length).toBeGreaterThan(0);
  const found = files.map((file) => [file, idsIn(file)] as const).filter(([, ids]) => ids.length);
  expect(Object.fromEntries(found)).toEqual({});
});
