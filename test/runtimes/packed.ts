import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { packages } from "../../.github/packages.mjs";
import { pack, root } from "../support/pack.js";
import { runOrThrow } from "../support/run.js";

/** Third-party packages that the packed packages and the tests' programs import. */
const OTHERS = ["cross-spawn", "eventsource-parser", "url-template", "zod"];

/** A project with the packages as published, installed without a registry. */
export class PackedProject {
  readonly folder: string = mkdtempSync(join(tmpdir(), "mcp-codegen-runtimes-"));

  async create(): Promise<void> {
    const modules = join(this.folder, "node_modules");
    const needed = packages.filter(
      ({ folder, isGenerated }) => isGenerated || folder === "runtime",
    );
    for (const { folder } of needed) {
      const { name, tarball } = await pack(folder, this.folder);
      const target = join(modules, name);
      mkdirSync(target, { recursive: true });
      await runOrThrow("tar", ["-xzf", tarball, "-C", target, "--strip-components=1"]);
    }
    for (const name of OTHERS) {
      mkdirSync(dirname(join(modules, name)), { recursive: true });
      symlinkSync(join(root, "node_modules", name), join(modules, name));
    }
    writeFileSync(join(this.folder, "package.json"), `{ "type": "module" }`);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
