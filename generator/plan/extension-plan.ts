import type { Method, Protocol } from "../link/protocol.js";
import type { Declaration } from "../model/schema-model.js";
import type { Shapes } from "../model/shape.js";
import type { Invocation } from "./command-line.js";

/** The plan for an extension's package. All names are final, but nothing has been printed yet. */
export interface ExtensionPlan {
  readonly id: string;
  readonly packageName: string;
  readonly version: string;
  /** True if the package is installed from archives in its own folder. */
  readonly isVendored?: boolean;
  readonly runtime: string;
  /** The extension with only its own declarations. */
  readonly protocol: Protocol;
  readonly invocation: Invocation;
  readonly bundled: string | undefined;
  readonly facts: string | undefined;
  readonly extended: Protocol;
  readonly extendedPackage: string;
  /** The declared and imported types, along with everything they refer to. */
  readonly declarations: readonly Declaration[];
  readonly shapes: Shapes;
  /** Maps local names to the revision's names for the types that it declares. */
  readonly elsewhere: ReadonlyMap<string, string>;
  readonly messages: readonly MessageConstant[];
}

export interface MessageConstant {
  readonly name: string;
  readonly method: Method;
}
