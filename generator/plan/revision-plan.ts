import type { MethodFamily } from "@mcp-codegen/runtime";
import type { Method, Protocol } from "../link/protocol.js";
import type { Shapes } from "../model/shape.js";
import type { Invocation } from "./command-line.js";

/** Plan of a revision's package: all names are final, but nothing has been printed yet. */
export interface RevisionPlan {
  readonly protocol: Protocol;
  readonly shapes: Shapes;
  /** Name of the package, such as `@mcp-codegen/2025-03-26`. */
  readonly packageName: string;
  /** Version of the generator, which is also that of the package. */
  readonly version: string;
  /** True for a package that is installed from archives in its own folder, without a registry. */
  readonly isVendored: boolean;
  /** Module specifier of the runtime for generated code. */
  readonly runtime: string;
  /** True if the schema is not bundled, so a command line must name it. */
  readonly isOwnSchema: boolean;
  /**
   * Arguments that cannot be derived from the schema, for the command in the file headers that regenerates the package.
   */
  readonly invocation: Invocation;
  readonly families: readonly MethodFamily[];
  /** Interfaces of types.ts that map a method to its types. */
  readonly maps: readonly MessageMap[];
  /** Messages that each side may send. */
  readonly messages: readonly SideMessages[];
  /** Exports of features.ts; undefined if there are none. */
  readonly features:
    | {
        readonly module: string;
        readonly classes: readonly FeaturePlan[];
        /** Names that features.ts re-exports from the runtime. */
        readonly extras: readonly string[];
      }
    | undefined;
  readonly client: SidePlan;
  readonly server: SidePlan;
}

export type Side = "client" | "server";

/** Interface that maps methods to types, such as `ClientRequests`. */
export interface MessageMap {
  readonly name: string;
  readonly description: string;
  readonly methods: readonly Method[];
}

/** Unions of the messages that one side sends: of its requests, of its notifications, and with envelopes. */
export interface SideMessages {
  readonly side: Side;
  /**
   * Unions of requests and of notifications, such as `ClientRequest` and `ClientNotification`, whether or not the
   * schema declares them.
   */
  readonly unions: readonly MessageUnion[];
  /** Name of the map of the requests that the other side may send, such as `ServerRequests`. */
  readonly otherRequests: string;
  /**
   * Names of the union of all messages and, if messages may be arrays, of its requests and notifications and of
   * its responses, which must not be in the same array.
   */
  readonly names: { readonly message: string; readonly call: string; readonly reply: string };
}

export interface MessageUnion {
  readonly name: string;
  readonly kind: Method["kind"];
  readonly declared: boolean;
  readonly methods: readonly Method[];
}

/** Plan of client.ts or server.ts. */
export interface SidePlan {
  readonly side: Side;
  readonly className: string;
  readonly contextName: string;
  readonly handlersName: string;
  readonly middlewareName: string;
  /** Stubs: one method of the class for each message that the side sends, except those that only the engine sends. */
  readonly stubs: readonly Stub[];
  /** Messages from the other side that handlers may receive, including those embedded in results. */
  readonly handlers: readonly Method[];
}

/** A feature of the runtime, bound to the types of a revision. */
export interface FeaturePlan {
  readonly name: string;
  readonly side: Side;
  readonly arguments: readonly FeatureArgument[];
  readonly deprecated: boolean;
}

/** A type argument of a feature's class. */
export interface FeatureArgument {
  /** Name of a type; empty for the context of the side's handlers. */
  readonly type: string;
  /** True if handlers may return requests for input instead of this type. */
  readonly mayAsk: boolean;
}

export interface Stub {
  /** Name of the stub, such as `callTool`, `sendToolListChanged`. */
  readonly name: string;
  readonly method: Method;
  /** Method that iterates over all items of a paginated request; undefined for other requests. */
  readonly pager?: Pager;
}

/** A method that yields the items of all pages. */
export interface Pager {
  /** Name of the pager, such as `allTools`. */
  readonly name: string;
  /** Member of the result that contains the list, such as `tools`. */
  readonly member: string;
  /** Name of the items' type; undefined if the type has no name. */
  readonly item: string | undefined;
}
