import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cli } from "../cli/cli.js";
import { pack, packageFolders } from "../support/pack.js";
import { runOrThrow } from "../support/run.js";

export const KINDS = ["stdio-server", "http-server", "fetch-server", "client"] as const;
export const FLAVORS = ["universal", "2025-11-25", "2026-07-28"] as const;

export type Kind = (typeof KINDS)[number];
export type Flavor = (typeof FLAVORS)[number];

/** One project of each kind and flavor. */
export const ALL: readonly Project[] = KINDS.flatMap((kind) =>
  FLAVORS.map((flavor) => ({ kind, flavor })),
);

export interface Project {
  readonly kind: Kind;
  readonly flavor: Flavor;
}

/** Projects in one workspace, so that one installation is enough. */
export class Projects {
  readonly folder: string = mkdtempSync(join(tmpdir(), "mcp-codegen-scaffold-"));
  readonly #all: readonly Project[];
  readonly #options: readonly string[];

  /** @param options - further options of `new` for all of them */
  constructor(all: readonly Project[] = ALL, options: readonly string[] = []) {
    this.#all = all;
    this.#options = options;
  }

  of(kind: Kind, flavor: Flavor): string {
    return join(this.folder, `${kind}-${flavor}`);
  }

  manifest(kind: Kind, flavor: Flavor): Record<string, Record<string, string>> {
    const text = readFileSync(join(this.of(kind, flavor), "package.json"), "utf8");
    return JSON.parse(text) as Record<string, Record<string, string>>;
  }

  /** Scaffolds and installs the projects; this repository's tarballs replace the registry. */
  async create(): Promise<void> {
    const all = this.#all;
    for (const { kind, flavor } of all) {
      const revision = flavor === "universal" ? [] : ["--revision", flavor];
      const args = ["new", `${kind}-${flavor}`, "--template", kind, ...revision, ...this.#options];
      const { code, stderr } = await cli(args, { cwd: this.folder });
      if (code !== 0) throw new Error(stderr);
    }
    const folders = packageFolders().filter((folder) => folder !== ".");
    const packed = await Promise.all(folders.map((folder) => pack(folder, this.folder)));
    const local = new Map(packed.map(({ name, tarball }) => [name, `file:${tarball}`]));
    const useLocal = (named: Record<string, string> = {}) =>
      Object.fromEntries(Object.entries(named).map(([name, at]) => [name, local.get(name) ?? at]));
    for (const { kind, flavor } of all) {
      const manifest = this.manifest(kind, flavor);
      const { dependencies, devDependencies } = manifest;
      const replaced = {
        ...manifest,
        dependencies: useLocal(dependencies),
        devDependencies: useLocal(devDependencies),
      };
      writeFileSync(join(this.of(kind, flavor), "package.json"), JSON.stringify(replaced));
    }
    const workspaces = all.map(({ kind, flavor }) => `${kind}-${flavor}`);
    const overrides = Object.fromEntries(local);
    const manifest = { private: true, workspaces, overrides };
    writeFileSync(join(this.folder, "package.json"), JSON.stringify(manifest));
    const install = ["install", "--no-audit", "--no-fund", "--prefer-offline"];
    await runOrThrow("npm", install, { cwd: this.folder });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
