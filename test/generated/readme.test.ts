import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { packageFolder } from "../../generator/bundled/bundled.js";
import { revisions } from "../generator/bundled.js";
import { snippets } from "../readme/snippets.js";
import { Workspace } from "./workspace.js";

const root = packageFolder();
const readme = (revision: string): string =>
  readFileSync(join(root, "generated", revision, "README.md"), "utf8");

const programs = revisions.flatMap((revision) =>
  snippets(readme(revision))
    .filter(({ language }) => language === "ts")
    .map(({ line, text }) => ({ path: `${revision}-${line}.ts`, text: `${text}\n` })),
);

/** A folder inside the repository, so that imports resolve as they do in the other tests. */
const folder = join(root, "test/generated/.snippets");
const workspace = new Workspace();
afterAll(() => {
  workspace.remove();
  rmSync(folder, { recursive: true, force: true });
});

it("each package shows code", () => {
  expect(new Set(programs.map(({ path }) => path.slice(0, 10)))).toEqual(new Set(revisions));
});

it("the code compiles", async () => {
  workspace.add("readme", programs);
  const errors = await workspace.compile("typescript", "nodenext", ["readme/*.ts"]);
  expect(errors).toEqual([]);
});

describe("the code prints its documented output:", () => {
  it.each(programs)("$path", async ({ path, text }) => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, path), text);
    const log = vi.spyOn(console, "log").mockImplementation(() => {});
    await import(/* @vite-ignore */ join(folder, path));
    const printed = log.mock.calls.map(([value]) => JSON.stringify(value));
    log.mockRestore();
    const promised = [...text.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map(([, said]) => said);
    expect(promised.length).toBeGreaterThan(0);
    expect(printed).toEqual(promised);
  });
});
