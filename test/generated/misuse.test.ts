import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { packageFolder } from "../../generator/bundled/bundled.js";
import { Workspace } from "./workspace.js";

const workspace = new Workspace();
afterAll(() => workspace.remove());

it("what a revision does not have does not compile, and says why", async () => {
  const text = readFileSync(join(packageFolder(), "test/fixtures/generated/misuse.ts"), "utf8");
  const expected = text.split("\n").flatMap((line, index) => {
    const code = /; \/\/ (TS\d+)$|, \/\/ (TS\d+)$/.exec(line);
    return code ? [`${index + 1} ${code[1] ?? code[2]}: ${line.trim()}`] : [];
  });
  workspace.add("misuse", [{ path: "misuse.ts", text }]);
  const errors = await workspace.compile("typescript", "nodenext", ["misuse/*.ts"]);
  const found = errors.map(({ line, code }) => `${line} ${code}: ${text.split("\n")[line - 1]!.trim()}`);
  expect(expected.length).toBeGreaterThan(30);
  expect(found).toEqual(expected);
});
