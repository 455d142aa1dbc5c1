import { createRequire } from "node:module";
import { join } from "node:path";
import { folder } from "./install.js";

/* The parts that these tests use of packages that only they install. */

export interface BuildOptions {
  readonly platform?: "browser" | "neutral";
  readonly conditions?: readonly string[];
  readonly external?: readonly string[];
  readonly entryPoints?: readonly string[];
  readonly nodePaths?: readonly string[];
  readonly plugins?: readonly BuildPlugin[];
  readonly [other: string]: unknown;
}

export interface BuildPlugin {
  readonly name: string;
  setup(build: {
    onResolve(of: { filter: RegExp }, resolve: (found: Resolving) => unknown): void;
    resolve(path: string, from: object): Promise<unknown>;
  }): void;
}

export interface Resolving {
  readonly path: string;
  readonly kind: string;
  readonly pluginData: unknown;
}

export interface Esbuild {
  build(options: BuildOptions): Promise<unknown>;
}

export interface Miniflare {
  readonly ready: Promise<URL>;
  dispose(): Promise<void>;
}

const require = createRequire(join(folder, "package.json"));

export const esbuild = (): Esbuild => require("esbuild") as Esbuild;

export const miniflare = (): { Miniflare: new (options: object) => Miniflare } =>
  require("miniflare") as { Miniflare: new (options: object) => Miniflare };
