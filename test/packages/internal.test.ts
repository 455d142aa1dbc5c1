import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root, runtimeFolders } from "../support/pack.js";

const read = (path: string): string => readFileSync(join(root, path), "utf8");

/** Sources of the parts, and those of the runtime that are bundled into a part. */
const sources = [
  ...runtimeFolders().filter((folder) => folder !== "runtime"),
  "runtime/transport",
].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !/(^|[\\/])dist[\\/]/.test(file))
    .filter((file) => folder !== "runtime/transport" || file.startsWith("stdio-"))
    .map((file) => read(join(folder, file))),
);

it("internal.ts has nothing that no part imports", () => {
  const lists = [...read("runtime/internal.ts").matchAll(/^export (?:type )?\{([^}]*)\}/gm)];
  const names = lists
    .flatMap(([, list = ""]) => list.split(","))
    .map((name) => name.trim().replace(/^type /, ""))
    .filter((name) => name !== "");
  const imported = new Set(
    sources.flatMap((text) =>
      [...text.matchAll(/^(?:import|export) (?:type )?\{([^}]*)\} from "\.\.?\//gm)]
        .flatMap(([, list = ""]) => list.split(","))
        .map((name) =>
          name
            .trim()
            .replace(/^type /, "")
            .replace(/ as .*$/, ""),
        ),
    ),
  );
  expect(names.length).toBeGreaterThan(100);
  expect(names.filter((name) => !imported.has(name))).toEqual([]);
});
