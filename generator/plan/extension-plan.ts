import type { Method, Protocol } from "../link/protocol.js";
import type { Declaration } from "../model/schema-model.js";
import type { Shapes } from "../model/shape.js";

/** What is going to be written for an extension: every name decided, nothing printed yet. */
export interface ExtensionPlan {
  /** `com.example/maps` */
  readonly id: string;
  /** `@com.example/maps` */
  readonly packageName: string;
  /** Of the generator, and so of the package. */
  readonly version: string;
  /** Module specifier of the runtime's surface for generated code. */
  readonly runtime: string;
  /** The extension, with its own declarations only. */
  readonly protocol: Protocol;
  /** Base name of the file with its facts, if it has any. */
  readonly facts: string | undefined;
  /** The revision that it extends. */
  readonly extended: Protocol;
  /** Package of that revision. */
  readonly extendedPackage: string;
  /** What it declares and what it imports, with all that this needs. */
  readonly declarations: readonly Declaration[];
  readonly shapes: Shapes;
  /** What is declared by the revision: its name there, by its name here. */
  readonly elsewhere: ReadonlyMap<string, string>;
  readonly messages: readonly MessageConstant[];
}

/** A constant that describes a message. */
export interface MessageConstant {
  /** `findPlaceRequest` */
  readonly name: string;
  readonly method: Method;
}
