import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { sourceOf } from "../../support/sources.js";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const ENTRY = "\0entry";

/**
 * Bundles a program and all its imports into one file. It starts from the sources, because an earlier build may be
 * stale. The program's `main` is called with the generated packages.
 *
 * @param program - path of the module that exports `main`, relative to the root
 */
export async function bundle(program: string, file: string): Promise<void> {
  const build = await rolldown({
    input: ENTRY,
    platform: "node",
    resolve: { extensionAlias: { ".js": [".ts", ".js"] } },
    plugins: [
      {
        name: "entry-and-aliases",
        resolveId: (id) => (id === ENTRY ? id : sourceOf(id)),
        load: (id) => (id === ENTRY ? entryOf(program) : undefined),
      },
    ],
    logLevel: "silent",
  });
  await build.write({ file, format: "esm", codeSplitting: false });
  await build.close();
}

function entryOf(program: string): string {
  const ids = readdirSync(join(root, "generated")).filter((id) => /^\d{4}-\d{2}-\d{2}$/.test(id));
  const imports = ids.map(
    (id, index) =>
      `import * as package${index} from ${JSON.stringify(join(root, "generated", id, "index.ts"))};`,
  );
  const packages = ids.map((_, index) => `package${index}`).join(", ");
  return `${imports.join("\n")}
import { main } from ${JSON.stringify(join(root, program))};
await main([${packages}]);`;
}
