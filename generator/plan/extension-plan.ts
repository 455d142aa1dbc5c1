import type { Method, Protocol } from "../link/protocol.js";
import type { Declaration } from "../model/schema-model.js";
import type { Shapes } from "../model/shape.js";
import type { Invocation } from "./command-line.js";

/** Plan of an extension package: every name decided, nothing printed yet. */
export interface ExtensionPlan {
  /** `com.example/maps` */
  readonly id: string;
  /** `@com.example/maps` */
  readonly packageName: string;
  /** Version of the generator, and so of the package. */
  readonly version: string;
  /** True for a package that is installed from archives in its own folder. */
  readonly isVendored?: boolean;
  /** Module specifier of the runtime's surface for generated code. */
  readonly runtime: string;
  /** The extension, with its own declarations only. */
  readonly protocol: Protocol;
  /** Command line that generated it, as far as the schema does not tell. */
  readonly invocation: Invocation;
  /** Name of the bundled extension that this is. */
  readonly bundled: string | undefined;
  /** Base name of the file with its facts, if it has any. */
  readonly facts: string | undefined;
  /** The revision that it extends. */
  readonly extended: Protocol;
  /** Package of that revision. */
  readonly extendedPackage: string;
  /** Declared and imported types, with all that they need. */
  readonly declarations: readonly Declaration[];
  readonly shapes: Shapes;
  /** Types that the revision declares: its name for each, by the name used here. */
  readonly elsewhere: ReadonlyMap<string, string>;
  readonly messages: readonly MessageConstant[];
}

/** A constant that describes a message. */
export interface MessageConstant {
  /** `findPlaceRequest` */
  readonly name: string;
  readonly method: Method;
}
