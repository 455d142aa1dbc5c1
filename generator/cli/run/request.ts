import type { Clone } from "../../bundled/clone.js";
import type { OutputFolder } from "../../output/inventory.js";
import type { Invocation } from "../../plan/command-line.js";
import type { RevisionSource } from "../revision-source.js";

export interface ExtensionTarget {
  readonly id: string;
  readonly schema: string;
  readonly facts?: string;
  /** The name of the bundled extension, if the extension is bundled. */
  readonly bundled?: string;
  readonly extended: RevisionSource;
  readonly folder: OutputFolder;
  /**
   * The command line to show in the headers of the extension's files. Default: one derived from the other properties.
   */
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
  /** The runtime module's specifier, if it is not the default. */
  readonly runtime?: string;
  /** True to omit package.json, tsconfig.json and README.md, which only a package needs. */
  readonly modulesOnly?: boolean;
  /** The clone that packs the packages' dependencies; absent if a registry has them. */
  readonly clone?: Clone;
  readonly config?: string;
}
