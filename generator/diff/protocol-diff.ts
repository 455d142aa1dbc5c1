/** The differences between two revisions. */
export interface ProtocolDiff {
  readonly from: string;
  readonly to: string;
  readonly traits: readonly ValueChange[];
  /** Changes to conventions, which only the specification's prose states. */
  readonly conventions: readonly ValueChange[];
  /** Changes to the schema's constants, and to error codes that only the prose states. */
  readonly constants: readonly ConstantChange[];
  readonly methods: readonly MethodChange[];
  readonly types: TypeChanges;
  /** Changes to `extends` clauses, which affect the API but not the wire. */
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
  /** The old value; absent if the constant is new. */
  readonly from?: string | number;
  /** The new value; absent if the constant was removed. */
  readonly to?: string | number;
  readonly origin: "schema" | "prose";
}

export interface MethodChange {
  readonly method: string;
  readonly kind: "request" | "notification";
  readonly change: "added" | "removed" | "changed";
  /**
   * The sender: `client`, `server` or `both`, followed by `, embedded` if the request is carried inside results. For a
   * changed method, this is the newer revision's sender.
   */
  readonly direction: string;
  /** The names of the result types, joined by `|`; only for requests. */
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
  /** The names of the new types, except renamed ones. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Types with the same form on the wire but a different name. */
  readonly renamed: readonly Pair[];
  /** Types that replace others, according to the newer revision's facts. */
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
  /** The name of the declaration in the newer revision. */
  readonly type: string;
  /** The steps from the declaration to the member, with `[*]` for an index signature; empty for an alias itself. */
  readonly path: readonly string[];
}

/** A change to an effective member, regardless of where that member is declared. */
export type MemberChange = MemberChangeBase & MemberChangeDetail;

export type MemberChangeDetail =
  | {
      readonly change: "added" | "removed";
      readonly optional: boolean;
      readonly text: string;
      /** The base from which the member is inherited. */
      readonly inheritedFrom?: string;
    }
  | { readonly change: "required" | "optional" }
  | {
      readonly change: "type" | "index";
      readonly from: string;
      readonly to: string;
      /** Alternatives of a union or of an array's elements, as written: names and literals. */
      readonly added: readonly string[];
      readonly removed: readonly string[];
      /** The changes after named unions have been replaced by their alternatives. */
      readonly flat: { readonly added: readonly string[]; readonly removed: readonly string[] };
      /** True if the set of valid values is unchanged. */
      readonly sameWire: boolean;
    }
  | { readonly change: "constraints"; readonly from: string; readonly to: string };
