import type { Clone } from "../../bundled/clone.js";
import type { OutputFolder } from "../../output/inventory.js";
import type { Invocation } from "../../plan/command-line.js";
import type { RevisionSource } from "../revision-source.js";

export interface ExtensionTarget {
  readonly id: string;
  readonly schema: string;
  readonly facts?: string;
  /** Name of the bundled extension, if the extension is one. */
  readonly bundled?: string;
  readonly extended: RevisionSource;
  readonly folder: OutputFolder;
  /** Command line for the headers of the extension's files. Default: one derived from the other members. */
  readonly invocation?: Invocation;
}

export interface Target {
  readonly revision: string;
  readonly schema: string;
  readonly facts?: string;
  readonly folder: OutputFolder;
  readonly invocation: Invocation;
}

export interface Request {
  readonly targets: readonly Target[];
  readonly universal?: Pick<Target, "folder" | "invocation">;
  readonly extensions?: readonly ExtensionTarget[];
  /** Specifier of the runtime module, if it is not the default. */
  readonly runtime?: string;
  /** True to omit the package files: package.json, tsconfig.json and README.md. */
  readonly modulesOnly?: boolean;
  /** Clone that packs the packages' dependencies; absent if a registry has them. */
  readonly clone?: Clone;
  readonly config?: string;
}
