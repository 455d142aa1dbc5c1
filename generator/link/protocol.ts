import type { Condition, Conventions, Role, Traits } from "@mcp-codegen/runtime";
import type { Span } from "../diagnostics.js";
import type { Declaration } from "../model/schema-model.js";
import type { InheritedFacts, PlaceFact, RuleFact } from "./facts.js";

export type { Condition, Conventions, Role, Traits } from "@mcp-codegen/runtime";

/**
 * A linked revision: its messages, with their senders and results. It is published as `protocol.json` (without
 * positions in the schema).
 */
export interface Protocol {
  /** The id passed by the caller, such as `2025-03-26`; never read from the schema. */
  readonly revision: string;
  /** The name in a form that can follow "the", taken from the facts. */
  readonly name?: string;
  readonly specification?: string;
  /** The keywords for the package registry; not published. */
  readonly keywords?: readonly string[];
  /** The path or URL of the schema, as in diagnostics; not published. */
  readonly file: string;
  readonly source: ProtocolSource;
  readonly traits: Traits;
  readonly conventions: Conventions;
  readonly methods: readonly Method[];
  readonly errorCodes: readonly ErrorCode[];
  /**
   * The unions that list messages and results, by name (`ClientRequest`, `ServerResult`, …), flattened and in source
   * order.
   */
  readonly aggregates: Readonly<Record<string, readonly string[]>>;
  readonly envelope: Envelope;
  readonly declarations: readonly Declaration[];
  readonly additions?: Additions;
  readonly synthesized: readonly SynthesizedType[];
  /** The revision that was current before this one was published; not itself published. */
  readonly previous?: string;
  readonly successors?: readonly Successor[];
  /** The formats of members whose tags do not state them; not published. */
  readonly formats?: readonly FormatRule[];
  /** The facts about translating messages into the previous revision; not published. */
  readonly places?: readonly PlaceRule[];
  /** The facts inherited from an earlier revision, for a schema that has none of its own; not published. */
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
  /** The name of the type that has the member; absent if the rule applies to all members with that name. */
  readonly type?: string;
  readonly member: string;
  /** True if the format applies to the member's elements. */
  readonly isItem: boolean;
  /**
   * The name of the format. For some formats, it is followed by the members to which the format applies, such as
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
  /** The digest of names and structures. Comments, order and formatting are ignored. */
  readonly api: string;
  /** The digest of everything that is visible on the wire. The names of helper types are also ignored. */
  readonly wire: string;
}

export interface Method {
  /** The method's name on the wire, such as `tools/call`. */
  readonly method: string;
  readonly kind: "request" | "notification";
  /** The declared type, such as `CallToolRequest`. */
  readonly type: string;
  /** The base from which stub names are formed, such as `CallTool`. */
  readonly base: string;
  readonly from: "client" | "server" | "both";
  /** `embedded` if the message is carried inside a result, and never sent as a JSON-RPC message; otherwise `wire`. */
  readonly channel: "wire" | "embedded";
  readonly role?: Role;
  readonly params?: { readonly type: string; readonly optional: boolean };
  readonly result?: Result;
  /**
   * The path of the capability that the message requires. It begins with the capability's owner, as in
   * `server.resources.subscribe` or `receiver.tasks.list`.
   */
  readonly capability?: string;
  /**
   * The capabilities that a side declares if it has a handler for this request: `{ "resources": { "subscribe": true }
   * }`.
   */
  readonly declares?: JsonObject;
  /** Capabilities that are required only for certain parameters. */
  readonly conditions: readonly Condition[];
  /** True if the request has `cursor` and its result has `nextCursor`. */
  readonly paginated: boolean;
  /** True if the result states how long it can be cached. */
  readonly cacheable: boolean;
  readonly deprecated: boolean;
  /** The parameter that HTTP requests mirror in the header `Mcp-Name`. */
  readonly nameHeader?: string;
  /**
   * The method whose result contains the schemas. These state which arguments are mirrored in headers (`Mcp-Param-*`).
   */
  readonly paramHeaders?: string;
}

export interface Result {
  readonly type: string;
  readonly alternatives: readonly {
    readonly type: string;
    readonly when: "task" | "input_required" | "other";
  }[];
  /** The evidence for the result: a `ResultResponse`, the result's name, or neither. */
  readonly rule: "response" | "name" | "empty";
}

export interface ErrorCode {
  readonly name: string;
  readonly code: number;
  readonly type?: string;
  /** `prose` if the code comes from the facts, because the schema does not state it. */
  readonly origin: "schema" | "prose";
}

/** The names of shared types. Names that the revision lacks are absent. */
export interface Envelope {
  readonly message: string;
  readonly request: string;
  readonly notification: string;
  /** The type of a successful response. */
  readonly result: string;
  /** The type of a failed response. */
  readonly error: string;
  /** The parameters that all requests share. They are validated in addition to the request's own parameters. */
  readonly requestParams?: string;
  readonly notificationParams?: string;
  readonly clientCapabilities: string;
  readonly serverCapabilities: string;
  readonly implementation: string;
}

/** A name for parameters that the schema declares inline: `CallToolRequestParams` = `CallToolRequest["params"]`. */
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
