import type { Method, Protocol } from "../link/protocol.js";
import type { Declaration } from "../model/schema-model.js";
import type { Shapes } from "../model/shape.js";
import type { Invocation } from "./command-line.js";

/** Plan of an extension's package: all names are final, but nothing has been printed yet. */
export interface ExtensionPlan {
  /** Id of the extension, such as `com.example/maps`. */
  readonly id: string;
  /** Name of the package, such as `@com.example/maps`. */
  readonly packageName: string;
  /** Version of the generator, which is also that of the package. */
  readonly version: string;
  /** True for a package that is installed from archives in its own folder. */
  readonly isVendored?: boolean;
  /** Module specifier of the runtime for generated code. */
  readonly runtime: string;
  /** The extension, with its own declarations only. */
  readonly protocol: Protocol;
  /**
   * Arguments that cannot be derived from the schema, for the command in the file headers that regenerates the package.
   */
  readonly invocation: Invocation;
  /** Name of the extension, if it is bundled. */
  readonly bundled: string | undefined;
  /** File name of the extension's facts, if there are any. */
  readonly facts: string | undefined;
  /** Revision that the extension is based on. */
  readonly extended: Protocol;
  /** Name of the package of the revision that the extension is based on. */
  readonly extendedPackage: string;
  /** Declared and imported types, and everything that they refer to. */
  readonly declarations: readonly Declaration[];
  readonly shapes: Shapes;
  /** Types that the revision declares: their names in the revision, by their local names. */
  readonly elsewhere: ReadonlyMap<string, string>;
  readonly messages: readonly MessageConstant[];
}

/** A constant that describes a message. */
export interface MessageConstant {
  /** Name of the constant, such as `findPlaceRequest`. */
  readonly name: string;
  readonly method: Method;
}
