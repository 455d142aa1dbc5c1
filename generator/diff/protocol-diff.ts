/** Differences between two revisions. */
export interface ProtocolDiff {
  readonly from: string;
  readonly to: string;
  readonly traits: readonly ValueChange[];
  /** Changes to conventions, which only the prose of the specification states. */
  readonly conventions: readonly ValueChange[];
  /** Changes to constants of the schema, and to error codes that only the prose states. */
  readonly constants: readonly ConstantChange[];
  readonly methods: readonly MethodChange[];
  readonly types: TypeChanges;
  /** Changes to `extends` clauses; they concern the API, not the wire. */
  readonly heritage: readonly HeritageChange[];
  readonly members: readonly MemberChange[];
  /** Newly deprecated types, and newly deprecated members as dotted paths. */
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
  /**
   * Sender: `client`, `server` or `both`, followed by `, embedded` if the request travels inside results. A changed
   * method has the newer revision's sender.
   */
  readonly direction: string;
  /** Names of the result types, joined by `|`; for requests only. */
  readonly result?: string;
  /** Changes to a method that both revisions have. */
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
  /** Names of new types, except renamed ones. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Types with the same form on the wire, but another name. */
  readonly renamed: readonly Pair[];
  /** Types that replace others, according to the facts of the newer revision. */
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
  /** Name of the declaration in the newer revision. */
  readonly type: string;
  /** Steps from the declaration to the member, `[*]` for an index signature; empty for an alias itself. */
  readonly path: readonly string[];
}

/** Change to an effective member, wherever that member is declared. */
export type MemberChange = MemberChangeBase & MemberChangeDetail;

export type MemberChangeDetail =
  | {
      readonly change: "added" | "removed";
      readonly optional: boolean;
      readonly text: string;
      /** Base from which the member is inherited. */
      readonly inheritedFrom?: string;
    }
  | { readonly change: "required" | "optional" }
  | {
      readonly change: "type" | "index";
      readonly from: string;
      readonly to: string;
      /** Alternatives of a union, or of the elements of an array, as written: names and literals. */
      readonly added: readonly string[];
      readonly removed: readonly string[];
      /** Changes after named unions have been replaced by their alternatives. */
      readonly flat: { readonly added: readonly string[]; readonly removed: readonly string[] };
      /** True if the set of valid values has not changed. */
      readonly sameWire: boolean;
    }
  | { readonly change: "constraints"; readonly from: string; readonly to: string };
