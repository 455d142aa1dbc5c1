import type { MethodFamily } from "@mcp-codegen/runtime";
import type { Method, Protocol } from "../link/protocol.js";
import type { Shapes } from "../model/shape.js";
import type { Invocation } from "./command-line.js";

/** Plan of a revision package: every name decided, nothing printed yet. */
export interface RevisionPlan {
  readonly protocol: Protocol;
  readonly shapes: Shapes;
  /** `@mcp-codegen/2025-03-26` */
  readonly packageName: string;
  /** Version of the generator, and so of the package. */
  readonly version: string;
  /** True for a package that is installed from archives in its own folder, without a registry. */
  readonly isVendored: boolean;
  /** Module specifier of the runtime's surface for generated code. */
  readonly runtime: string;
  /** The schema does not come with the generator: a command line must name it. */
  readonly isOwnSchema: boolean;
  /** Command line that generated it, as far as the schema does not tell. */
  readonly invocation: Invocation;
  readonly families: readonly MethodFamily[];
  /** Interfaces of types.ts that map a method to its types. */
  readonly maps: readonly MessageMap[];
  /** Messages that each side may send. */
  readonly messages: readonly SideMessages[];
  /** Exports of features.ts; undefined when it has none. */
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

/** `ClientRequests`, and the like. */
export interface MessageMap {
  readonly name: string;
  readonly description: string;
  readonly methods: readonly Method[];
}

/** The unions of one side: those that the schema does not declare itself, and the one with envelopes. */
export interface SideMessages {
  readonly side: Side;
  /** `ClientRequest` and `ClientNotification`. */
  readonly unions: readonly MessageUnion[];
  /** `ServerRequests`: the map of what the other side may ask. */
  readonly otherRequests: string;
  /** Everything; where messages may be arrays, also its two halves, which do not mix in one array. */
  readonly names: { readonly message: string; readonly call: string; readonly reply: string };
}

export interface MessageUnion {
  readonly name: string;
  readonly kind: Method["kind"];
  readonly declared: boolean;
  readonly methods: readonly Method[];
}

/** client.ts or server.ts. */
export interface SidePlan {
  readonly side: Side;
  readonly className: string;
  readonly contextName: string;
  readonly handlersName: string;
  readonly middlewareName: string;
  /** One method of the class for each message that the side sends and the engine leaves to it. */
  readonly stubs: readonly Stub[];
  /** Messages of the other side that handlers may take, including those embedded in results. */
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
  /** Handlers may give questions in place of it. */
  readonly mayAsk: boolean;
}

export interface Stub {
  /** `callTool`, `sendToolListChanged` */
  readonly name: string;
  readonly method: Method;
  /** Pager of a request whose result comes in pages. */
  readonly pager?: Pager;
}

/** A method that gives the items of all pages. */
export interface Pager {
  /** `allTools` */
  readonly name: string;
  /** Member of the result that holds the list: `tools` */
  readonly member: string;
  /** Name of the items' type; undefined when they are of a type without a name. */
  readonly item: string | undefined;
}
