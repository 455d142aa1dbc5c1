import type { MethodFamily } from "@mcp-codegen/runtime";
import type { Method, Protocol } from "../link/protocol.js";
import type { Shapes } from "../model/shape.js";
import type { Invocation } from "./command-line.js";

/** The plan for a revision's package. All names are final, but nothing has been printed yet. */
export interface RevisionPlan {
  readonly protocol: Protocol;
  readonly shapes: Shapes;
  readonly packageName: string;
  readonly version: string;
  /** True if the package is installed from archives in its own folder. */
  readonly isVendored: boolean;
  readonly runtime: string;
  readonly isOwnSchema: boolean;
  readonly invocation: Invocation;
  readonly families: readonly MethodFamily[];
  readonly maps: readonly MessageMap[];
  readonly messages: readonly SideMessages[];
  readonly features:
    | {
        readonly module: string;
        readonly classes: readonly FeaturePlan[];
        readonly extras: readonly string[];
      }
    | undefined;
  readonly client: SidePlan;
  readonly server: SidePlan;
}

export type Side = "client" | "server";

export interface MessageMap {
  readonly name: string;
  readonly description: string;
  readonly methods: readonly Method[];
}

export interface SideMessages {
  readonly side: Side;
  /** The unions of requests and of notifications, whether or not the schema declares them. */
  readonly unions: readonly MessageUnion[];
  readonly otherRequests: string;
  /**
   * The name of the union of all messages and, if messages may be arrays, the names of its two parts: requests and
   * notifications, and responses. An array contains messages from only one part.
   */
  readonly names: { readonly message: string; readonly call: string; readonly reply: string };
}

export interface MessageUnion {
  readonly name: string;
  readonly kind: Method["kind"];
  readonly declared: boolean;
  readonly methods: readonly Method[];
}

export interface SidePlan {
  readonly side: Side;
  readonly className: string;
  readonly contextName: string;
  readonly handlersName: string;
  readonly middlewareName: string;
  /** The class's methods: one for each message that the side sends, except those that only the engine sends. */
  readonly stubs: readonly Stub[];
  readonly handlers: readonly Method[];
}

export interface FeaturePlan {
  readonly name: string;
  readonly side: Side;
  readonly arguments: readonly FeatureArgument[];
  readonly deprecated: boolean;
}

export interface FeatureArgument {
  /** The name of a type, or empty for the handler context. */
  readonly type: string;
  /** True if the type is a result and handlers may return input requests in its place. */
  readonly mayAsk: boolean;
}

export interface Stub {
  readonly name: string;
  readonly method: Method;
  /**
   * The method that iterates over the items of all pages. Present only if the request is paginated and has exactly one
   * list.
   */
  readonly pager?: Pager;
}

export interface Pager {
  readonly name: string;
  /** The member of the result that contains the items, such as `tools`. */
  readonly member: string;
  readonly item: string | undefined;
}
