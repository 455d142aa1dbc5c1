import type { Method, Protocol } from "../link/protocol.js";
import type { Declaration } from "../model/schema-model.js";
import type { Shapes } from "../model/shape.js";
import type { Invocation } from "./command-line.js";

/** Plan of an extension's package: all names are final, but nothing has been printed yet. */
export interface ExtensionPlan {
  readonly id: string;
  readonly packageName: string;
  readonly version: string;
  /** True for a package that is installed from archives in its own folder. */
  readonly isVendored?: boolean;
  readonly runtime: string;
  /** Extension with its own declarations only. */
  readonly protocol: Protocol;
  readonly invocation: Invocation;
  readonly bundled: string | undefined;
  readonly facts: string | undefined;
  readonly extended: Protocol;
  readonly extendedPackage: string;
  /** Declared and imported types, with everything that they refer to. */
  readonly declarations: readonly Declaration[];
  readonly shapes: Shapes;
  /** Types that the revision declares: the names in the revision, by local name. */
  readonly elsewhere: ReadonlyMap<string, string>;
  readonly messages: readonly MessageConstant[];
}

export interface MessageConstant {
  readonly name: string;
  readonly method: Method;
}
