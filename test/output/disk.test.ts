import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { problemOfName } from "../../generator/output/paths.js";
import { root } from "../support/pack.js";

const folder = join(root, "generator");
const sources = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .map((path) => path.replaceAll("\\", "/"))
  .filter((path) => path.endsWith(".ts") && !path.startsWith("dist/"))
  .map((path) => ({ path, text: readFileSync(join(folder, path), "utf8") }));

const using = (pattern: RegExp) =>
  sources.filter(({ text }) => pattern.test(text)).map(({ path }) => path);

it("every file is written by the guarded writer, or one that is as careful", () => {
  const writing =
    /\b(?:writeFile|appendFile|mkdir|rename|unlink|rm|cp|copyFile|symlink)Sync\(|\bcreateWriteStream\(|"node:fs\/promises"/;
  expect(using(writing).toSorted()).toEqual([
    // Archives in vendor/, by way of a staging folder.
    "bundled/clone.ts",
    "output/staging.ts",
    "output/write.ts",
    "pull/place.ts",
  ]);
});

it("every user input is read by the bounded reader", () => {
  expect(using(/\b(?:readFile(?:Sync)?|openSync|createReadStream)\(/).toSorted()).toEqual(
    [
      // Files of the package.
      "bundled/bundled.ts",
      "docs/render.ts",
      "emit/template.ts",
      // The bounded reader.
      "load/read-bytes.ts",
      // Regular files in the output folder, checked beforehand.
      "output/inventory.ts",
      "pull/place.ts",
    ].toSorted(),
  );
});

it.each([
  "con",
  "CON",
  "nul.x",
  "com1.tar.gz",
  "node_modules",
  "Node_Modules",
  "..",
  "a:b",
  "a\0",
  "a ",
])("%j cannot be the name of a file or folder", (name) =>
  expect(problemOfName(name)).toBeDefined(),
);

it.each(["console", "con-x", "node_modules2", "a.b", "com", "lpt"])("%j can", (name) => {
  expect(problemOfName(name)).toBeUndefined();
});
