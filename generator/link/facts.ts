import type { Span } from "../diagnostics.js";
import type { JsonPath } from "./json-position.js";
import type { Conventions, Method, Traits } from "@mcp-codegen/runtime";
import type { Constraints } from "../model/schema-model.js";

export interface Problem {
  readonly code: string;
  readonly severity?: "error" | "warning";
  readonly message: string;
  readonly hint: string;
  /** Schema lines that would solve the problem. */
  readonly example?: string | undefined;
  readonly span?: Span;
  readonly fact?: JsonPath;
  /** The declaration that an `accepted` fact must name to suppress the problem; absent if it cannot be suppressed. */
  readonly about?: string;
}

/** Facts about a revision that its schema does not state (`schema/<revision>/facts.json`). */
export interface Facts {
  readonly revision: string;
  /** The protocol's name in a form that can follow "the": `Model Context Protocol`. It is used in generated text. */
  readonly name?: string;
  /** The URL of the revision's specification. Links to paths in the schema's comments are resolved against its site. */
  readonly specification?: string;
  readonly keywords?: readonly string[];
  readonly extends?: string;
  /** The revision that was current before this one was published. */
  readonly previous?: string;
  /** The revision's main novelty in one line, for tables and menus. */
  readonly title?: string;
  /** The release date, as `YYYY-MM-DD`. */
  readonly released?: string;
  /** The published file of which the bundled schema is a copy. */
  readonly official?: OfficialSource;
  /** Error codes that only the prose states. */
  readonly errorCodes?: readonly ErrorCodeFact[];
  /** Exceptions to the rule that derives capabilities from method names. */
  readonly capabilities?: readonly CapabilityFact[];
  readonly conditions?: readonly ConditionFact[];
  /** The senders of messages, for schemas that have no unions to state them. */
  readonly directions?: readonly DirectionFact[];
  /** Traits that cannot be seen in a partial schema, such as that of an extension. */
  readonly traits?: readonly TraitFact[];
  /** Requirements on transports and features that only the prose states; the defaults are in `conventions.ts`. */
  readonly conventions?: readonly ConventionFact[];
  readonly headers?: readonly HeaderFact[];
  /** The parameters that the header `Mcp-Name` mirrors. The defaults are in `headers.ts`. */
  readonly nameHeaders?: readonly NameHeaderFact[];
  /** The requests whose arguments may be mirrored in headers. The default is in `headers.ts`. */
  readonly paramHeaders?: readonly ParamHeadersFact[];
  /** Extension results that may be returned instead of those of the revision. */
  readonly alternatives?: readonly AlternativeFact[];
  /** Extension types whose members are added to an object in the parameters of the revision's messages. */
  readonly joins?: readonly JoinFact[];
  /** Extension notifications to which clients can subscribe. */
  readonly topics?: readonly TopicFact[];
  /**
   * The only side that declares an extension. There is at most one such fact; without it, both sides declare the
   * extension.
   */
  readonly declaredBy?: readonly DeclaredByFact[];
  readonly formats?: readonly FormatFact[];
  /** The types and methods that replaced those of the previous revision. */
  readonly successors?: readonly SuccessorFact[];
  /** Handwritten rules for translating messages. They also apply to later revisions. */
  readonly rules?: readonly RuleFact[];
  /** The treatment of places that differ between revisions. It also applies in later revisions. */
  readonly places?: readonly PlaceFact[];
  readonly accepted?: readonly AcceptedFact[];
  readonly errata?: readonly Erratum[];
  /** The file from which the facts were read; absent for facts created in memory. */
  readonly origin?: FactsOrigin;
}

export interface FactsOrigin {
  readonly file: string;
  readonly text: string;
}

export interface OfficialSource {
  readonly url: string;
  /** The SHA-256 digest of the file's bytes, in hexadecimal. */
  readonly sha256: string;
  readonly api: string;
  readonly wire: string;
}

/** The reason for a fact, paraphrased, and the page that states it. */
export interface Evidence {
  readonly reason: string;
  readonly source: string;
}

export interface ErrorCodeFact extends Evidence {
  readonly name: string;
  readonly code: number;
  /** The requests that can fail with this code; absent if any request can. */
  readonly methods?: readonly string[];
}

export interface CapabilityFact extends Evidence {
  /**
   * The method that requires the capability. `*` with the capability `null` disables the rule that derives capabilities
   * from method names.
   */
  readonly method: string;
  /** The required capability; `null` if the method does not require one, contrary to the rule. */
  readonly capability: string | null;
}

export interface ConditionFact extends Evidence {
  readonly method: string;
  /** A member of the parameters. Nested members are written with dots. */
  readonly member: string;
  readonly in?: readonly string[];
  readonly orAbsent?: boolean;
  readonly capability: string;
  readonly orEmpty?: string;
  readonly level?: "should";
  readonly unmet?: "drop";
}

export interface DirectionFact extends Evidence {
  readonly method: string;
  readonly from: Method["from"];
  /**
   * The kind of a message whose method suggests the other kind. The methods of notifications normally contain
   * `notifications/`.
   */
  readonly kind?: Method["kind"];
  readonly channel?: Method["channel"];
}

export interface TraitFact extends Evidence {
  readonly trait: keyof Traits;
  readonly value: Traits[keyof Traits];
}

export interface ConventionFact extends Evidence {
  readonly convention: keyof Conventions;
  readonly value: Conventions[keyof Conventions];
}

/** An HTTP header field. The reason states when it is sent, and what it contains. */
export interface HeaderFact extends Evidence {
  /** The header field's name. With a trailing `*`, it stands for all names with this prefix. */
  readonly header: string;
  readonly from: "client" | "server" | "both";
  /** `GET` if the header field is sent only in requests that carry no message. */
  readonly request?: "GET";
}

export interface NameHeaderFact extends Evidence {
  readonly method: string;
  readonly member: string;
}

export interface ParamHeadersFact extends Evidence {
  readonly method: string;
  /** The method whose result contains the schemas. These state which arguments are repeated. */
  readonly schemas: string;
}

export interface AlternativeFact extends Evidence {
  /** The revision's request whose result may be replaced. */
  readonly method: string;
  readonly type: string;
  /** The value of `resultType` that identifies the result. */
  readonly resultType: string;
}

export interface JoinFact extends Evidence {
  readonly method: string;
  /** The member of the message's parameters that contains the object to which members are added. */
  readonly member: string;
  readonly type: string;
}

export interface TopicFact extends Evidence {
  /** The member that is added to the subscription filter. */
  readonly member: string;
  readonly notification: string;
  /**
   * The member of the notification's parameters whose value must be among those that the filter lists. Without a key,
   * the filter's member is a boolean.
   */
  readonly key?: string;
}

/** States that only one side declares an extension, which can therefore be used with every peer. */
export interface DeclaredByFact extends Evidence {
  readonly side: "server";
}

/** The format of a member's values, which replaces the schema's own tag. */
export interface FormatFact extends Evidence {
  /** `Type.member`, or `*.member` for all members with this name. A trailing `[]` refers to the member's elements. */
  readonly place: string;
  readonly format: string;
  /** The names of the members to which the format applies; only for the format `exactly-one`. */
  readonly members?: readonly string[];
}

export interface SuccessorFact extends Evidence {
  /** A type or method of the previous revision. In this revision, the name may have a different meaning. */
  readonly from: string;
  readonly to: string;
}

/** A handwritten rule that translates a place into its form in the previous revision. */
export interface RuleFact extends Evidence {
  /** A type in this revision, or one of its members as `Type.member`. `[]` stands for an array's elements. */
  readonly place: string;
  /** The rule's name in `runtime/facade/project/rules.ts`. */
  readonly rule: string;
  /**
   * The condition under which the rule runs. `around`: wherever the place differs, in addition to the derived changes.
   * `required`: like `around`, but only if the older revision requires a member that this one does not require.
   * `whole`: instead of the derived changes. `always`: even if nothing differs.
   */
  readonly extent: "around" | "required" | "whole" | "always";
}

export interface PlaceFact extends Evidence {
  readonly place: string;
  /**
   * The way in which the place is translated. `engine`: the engine adds and removes the member. `opaque`: the value
   * belongs to the program and is passed on unchanged. `keep`: the member may be sent in revisions that do not declare
   * it. `strip`: the member is removed, because the rest keeps its meaning without it. `refuse`: the message is
   * rejected, because its meaning would change without the member. `indivisible`: no part can be left out without
   * changing the meaning of the rest.
   */
  readonly treatment: "engine" | "opaque" | "keep" | "strip" | "refuse" | "indivisible";
}

export interface AcceptedFact extends Evidence {
  readonly code: string;
  readonly about: string;
}

export interface Erratum extends Evidence {
  readonly sha256: string;
  readonly declaration: string;
  /** The alternatives to add to a union. */
  readonly arms?: readonly string[];
  /** The paths of the members that lack the constraints, written with dots. */
  readonly members?: readonly string[];
  readonly constraints?: Constraints;
}

export interface FactRow {
  readonly list: string;
  /** The fact's subject: a method, a place, a convention, … */
  readonly about: string;
}

export interface InheritedFacts {
  readonly from: string;
  readonly facts: Facts;
  readonly rows: readonly FactRow[];
  readonly dropped: readonly (FactRow & { readonly reason: string })[];
}
