/**
 * Differences between two revisions. Every list is in source order; removed entries are in the order of the older
 * revision.
 */
export interface ProtocolDiff {
  readonly from: string;
  readonly to: string;
  readonly traits: readonly ValueChange[];
  /** Changes that only the prose of the specification states. */
  readonly conventions: readonly ValueChange[];
  /** Constants of the schema, and error codes that only the prose states. */
  readonly constants: readonly ConstantChange[];
  readonly methods: readonly MethodChange[];
  readonly types: TypeChanges;
  /** Changes of `extends` clauses; they concern the API, not the wire. */
  readonly heritage: readonly HeritageChange[];
  readonly members: readonly MemberChange[];
  /** Types, and members as dotted paths, that are newly deprecated. */
  readonly deprecated: readonly string[];
}

export interface ValueChange {
  readonly name: string;
  readonly from: string;
  readonly to: string;
}

export interface ConstantChange {
  readonly name: string;
  /** Absent if the constant is new. */
  readonly from?: string | number;
  /** Absent if the constant was removed. */
  readonly to?: string | number;
  readonly origin: "schema" | "prose";
}

export interface MethodChange {
  readonly method: string;
  readonly kind: "request" | "notification";
  readonly change: "added" | "removed" | "changed";
  /** Sender, as of the revision that has the method: `client`, `both`, `server, embedded`. */
  readonly direction: string;
  /** Type names joined by `|`; requests only, as of the revision that has it. */
  readonly result?: string;
  /** Changes of a method that both revisions have. */
  readonly aspects: readonly Aspect[];
}

export interface Aspect {
  readonly aspect:
    | "type"
    | "direction"
    | "envelope"
    | "params"
    | "params optional"
    | "result"
    | "capability"
    | "conditions"
    | "paginated"
    | "cacheable"
    | "name header"
    | "param headers"
    | "deprecated";
  readonly from: string;
  readonly to: string;
}

export interface TypeChanges {
  /** Names of new types, renamed ones excluded. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Types with the same form on the wire, but another name. */
  readonly renamed: readonly Pair[];
  /** Replacements of types, according to the facts of the newer revision. */
  readonly successors: readonly Pair[];
  readonly kinds: readonly ValueChange[];
}

export interface Pair {
  readonly from: string;
  readonly to: string;
}

export interface HeritageChange {
  readonly name: string;
  readonly from: readonly string[];
  readonly to: readonly string[];
}

interface MemberChangeBase {
  /** Declaration that both revisions have. */
  readonly type: string;
  /** Steps from the declaration to the member, `[*]` for an index signature; empty for an alias itself. */
  readonly path: readonly string[];
}

/**
 * Changes of an effective member: it does not matter where the member is declared, or whether inline or under a name.
 */
export type MemberChange = MemberChangeBase & MemberChangeDetail;

export type MemberChangeDetail =
  | {
      readonly change: "added" | "removed";
      readonly optional: boolean;
      /** Type of the member, as text. */
      readonly text: string;
      /** Base from which the member is inherited. */
      readonly inheritedFrom?: string;
    }
  | { readonly change: "required" | "optional" }
  | {
      readonly change: "type" | "index";
      readonly from: string;
      readonly to: string;
      /** Alternatives of unions, and of unions of elements, as written: names and literals. */
      readonly added: readonly string[];
      readonly removed: readonly string[];
      /** Arms after expanding named unions. */
      readonly flat: { readonly added: readonly string[]; readonly removed: readonly string[] };
      /** True if the set of valid values stays the same. */
      readonly sameWire: boolean;
    }
  | { readonly change: "constraints"; readonly from: string; readonly to: string };
