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
  /** Revision that the extension is based on. */
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
  /** Command line for the headers of the revision's files. */
  readonly invocation: Invocation;
}

/** Packages that a command line and its configuration request. */
export interface Request {
  readonly targets: readonly Target[];
  /** The universal package; absent if it is not generated. */
  readonly universal?: Pick<Target, "folder" | "invocation">;
  readonly extensions?: readonly ExtensionTarget[];
  /** Specifier of the runtime module, if it is not the default. */
  readonly runtime?: string;
  /** True to omit the package files: package.json, tsconfig.json and README.md. */
  readonly modulesOnly?: boolean;
  /** Clone that packs the packages' dependencies; absent if a registry has them. */
  readonly clone?: Clone;
  /** Configuration file in use. */
  readonly config?: string;
}
