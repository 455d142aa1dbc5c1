import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { packageFolder } from "../../generator/bundled/bundled.js";
import { Workspace } from "./workspace.js";

const workspace = new Workspace();
afterAll(() => workspace.remove());

it.each([
  ["misuse.ts", "what a revision does not have"],
  ["misuse-extensions.ts", "what middleware and custom messages do not have"],
])("%s: %s does not compile, and says why", async (name) => {
  const text = readFileSync(join(packageFolder(), "test/fixtures/generated", name), "utf8");
  const lines = text.split("\n");
  const expected = lines.flatMap((line, index) => {
    const [, code] = /; \/\/ (TS\d+)$|, \/\/ (TS\d+)$/.exec(line)?.filter(Boolean) ?? [];
    return code ? [`${index + 1} ${code}: ${line.trim()}`] : [];
  });
  const folder = name.replace(".ts", "");
  workspace.add(folder, [{ path: name, text }]);
  const errors = await workspace.compile("typescript", "nodenext", [`${folder}/*.ts`]);
  const found = errors.map(({ line, code }) => `${line} ${code}: ${lines[line - 1]!.trim()}`);
  expect(expected.length).toBeGreaterThan(20);
  expect(found).toEqual(expected);
});
