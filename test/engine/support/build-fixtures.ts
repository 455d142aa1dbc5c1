import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/**
 * Compiles the programs under `fixtures/`, with the runtime that they import, into a folder of its own. Real processes
 * cannot run the sources, and an existing build may be stale.
 */
export class BuiltFixtures {
  readonly #folder = mkdtempSync(join(tmpdir(), "mcp-runtime-"));

  constructor() {
    writeFileSync(join(this.#folder, "package.json"), '{ "type": "module" }');
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    const project = join(root, "test/engine/fixtures");
    execFileSync(process.execPath, [tsc, "-p", project, "--outDir", this.#folder], { cwd: root });
  }

  /** Returns the path of a program that `node` can run. */
  path(name: string): string {
    return join(this.#folder, "test/engine/fixtures", `${name}.js`);
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true });
  }
}
