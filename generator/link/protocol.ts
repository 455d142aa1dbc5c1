import type { Condition, Conventions, Role, Traits } from "@mcp-codegen/runtime";
import type { Span } from "../diagnostics.js";
import type { Declaration } from "../model/schema-model.js";
import type { InheritedFacts, PlaceFact, RuleFact } from "./facts.js";

export type { Condition, Conventions, Role, Traits } from "@mcp-codegen/runtime";

/**
 * Linked revision: its messages, with their senders and results. It is published as `protocol.json` (without
 * positions in the schema).
 */
export interface Protocol {
  /** Id from the caller, such as `2025-03-26`; never read from the schema. */
  readonly revision: string;
  /** Name in a form that can follow "the"; from the facts. */
  readonly name?: string;
  readonly specification?: string;
  /** Keywords for the package registry; not published. */
  readonly keywords?: readonly string[];
  readonly source: ProtocolSource;
  readonly traits: Traits;
  readonly conventions: Conventions;
  readonly methods: readonly Method[];
  readonly errorCodes: readonly ErrorCode[];
  /**
   * Unions that list messages and results, by name (`ClientRequest`, `ServerResult`, …), flattened, in source order.
   */
  readonly aggregates: Readonly<Record<string, readonly string[]>>;
  readonly envelope: Envelope;
  readonly declarations: readonly Declaration[];
  readonly additions?: Additions;
  readonly synthesized: readonly SynthesizedType[];
  /** Revision that was current before this one was published; not published. */
  readonly previous?: string;
  readonly successors?: readonly Successor[];
  /** Formats of members whose tags do not state them; not published. */
  readonly formats?: readonly FormatRule[];
  /** Facts about the translation of messages into the previous revision; not published. */
  readonly places?: readonly PlaceRule[];
  /** Inherited facts of an earlier revision, for a schema without its own; not published. */
  readonly inherited?: InheritedFacts;
}

export interface Additions {
  readonly alternatives: readonly {
    readonly method: string;
    readonly type: string;
    readonly resultType: string;
  }[];
  readonly joins: readonly {
    readonly method: string;
    readonly member: string;
    readonly type: string;
  }[];
  readonly topics: readonly {
    readonly member: string;
    readonly notification: string;
    readonly key?: string;
  }[];
  readonly declaredBy?: "server";
}

export interface FormatRule {
  /** Name of the type that has the member; absent if the rule applies to all members of that name. */
  readonly type?: string;
  readonly member: string;
  /** True if the format applies to the elements of the member. */
  readonly isItem: boolean;
  /**
   * Name of the format; for some formats followed by the members to which it applies, such as
   * `exactly-one:text,blob`.
   */
  readonly format: string;
}

export interface PlaceRule {
  readonly fact: RuleFact | PlaceFact;
  readonly file?: string;
  readonly span?: Span;
}

export interface ProtocolSource {
  readonly file: string;
  readonly sha256: string;
  /** Digest of names and structures; comments, order and formatting are ignored. */
  readonly api: string;
  /** Digest of everything that is visible on the wire; names of helper types are also ignored. */
  readonly wire: string;
}

export interface Method {
  /** Method name on the wire, such as `tools/call`. */
  readonly method: string;
  readonly kind: "request" | "notification";
  /** Declared type, such as `CallToolRequest`. */
  readonly type: string;
  /** Base for the names of stubs, such as `CallTool`. */
  readonly base: string;
  readonly from: "client" | "server" | "both";
  /** `embedded` if the message travels inside a result, and never as a JSON-RPC message; otherwise `wire`. */
  readonly channel: "wire" | "embedded";
  readonly role?: Role;
  readonly params?: { readonly type: string; readonly optional: boolean };
  readonly result?: Result;
  /**
   * Path of the capability that the message requires, beginning with the capability's owner, such as
   * `server.resources.subscribe` or `receiver.tasks.list`.
   */
  readonly capability?: string;
  /** Capabilities that a side with a handler for this request declares: `{ "resources": { "subscribe": true } }`. */
  readonly declares?: JsonObject;
  /** Capabilities that are required only for certain parameters. */
  readonly conditions: readonly Condition[];
  /** True if the request has `cursor`, and its result `nextCursor`. */
  readonly paginated: boolean;
  /** True if the result states how long it can be cached. */
  readonly cacheable: boolean;
  readonly deprecated: boolean;
  /** Parameter that HTTP requests mirror in the header `Mcp-Name`. */
  readonly nameHeader?: string;
  /** Method whose result contains the schemas that state which arguments are mirrored in headers (`Mcp-Param-*`). */
  readonly paramHeaders?: string;
}

export interface Result {
  readonly type: string;
  readonly alternatives: readonly {
    readonly type: string;
    readonly when: "task" | "input_required" | "other";
  }[];
  /** Evidence for the result: a `ResultResponse`, the result's name, or neither. */
  readonly rule: "response" | "name" | "empty";
}

export interface ErrorCode {
  readonly name: string;
  readonly code: number;
  readonly type?: string;
  /** `prose` if the code comes from the facts, because no schema states it. */
  readonly origin: "schema" | "prose";
}

/** Names of shared types. Those that the revision lacks are absent. */
export interface Envelope {
  readonly message: string;
  readonly request: string;
  readonly notification: string;
  /** Type of a successful response. */
  readonly result: string;
  /** Type of a failed response. */
  readonly error: string;
  /** Parameters that all requests share, which are validated in addition to those of the request. */
  readonly requestParams?: string;
  readonly notificationParams?: string;
  readonly clientCapabilities: string;
  readonly serverCapabilities: string;
  readonly implementation: string;
}

/** Name for parameters that the schema declares inline: `CallToolRequestParams` = `CallToolRequest["params"]`. */
export interface SynthesizedType {
  readonly name: string;
  readonly owner: string;
  readonly member: string;
}

export interface Successor {
  readonly from: string;
  readonly to: string;
}

export type JsonObject = { readonly [key: string]: JsonValue };
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
