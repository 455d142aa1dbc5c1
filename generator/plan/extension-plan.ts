import type { Method, Protocol } from "../link/protocol.js";
import type { Declaration } from "../model/schema-model.js";
import type { Shapes } from "../model/shape.js";
import type { Invocation } from "./command-line.js";

/** Plan of an extension package: all names are final, nothing is printed yet. */
export interface ExtensionPlan {
  /** Id of the extension: `com.example/maps`. */
  readonly id: string;
  /** Name of the package: `@com.example/maps`. */
  readonly packageName: string;
  /** Version of the generator, which is also that of the package. */
  readonly version: string;
  /** True for a package that is installed from archives in its own folder. */
  readonly isVendored?: boolean;
  /** Module specifier of the runtime for generated code. */
  readonly runtime: string;
  /** The extension, with its own declarations only. */
  readonly protocol: Protocol;
  /** Parts of the command line that do not follow from the schema. */
  readonly invocation: Invocation;
  /** Name of the bundled extension, if it is one. */
  readonly bundled: string | undefined;
  /** Base name of the file with its facts, if it has one. */
  readonly facts: string | undefined;
  /** The revision that it extends. */
  readonly extended: Protocol;
  /** Package of that revision. */
  readonly extendedPackage: string;
  /** Declared and imported types, with everything that they refer to. */
  readonly declarations: readonly Declaration[];
  readonly shapes: Shapes;
  /** Names in the revision of the types that it declares, by their local names. */
  readonly elsewhere: ReadonlyMap<string, string>;
  readonly messages: readonly MessageConstant[];
}

/** A constant that describes a message. */
export interface MessageConstant {
  /** Name of the constant: `findPlaceRequest`. */
  readonly name: string;
  readonly method: Method;
}
