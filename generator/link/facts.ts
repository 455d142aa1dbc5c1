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
  /** Declaration that an `accepted` fact must name to suppress the problem; absent if it cannot be suppressed. */
  readonly about?: string;
}

/** Facts about a revision that its schema does not state (`schema/<revision>/facts.json`). */
export interface Facts {
  readonly revision: string;
  /** Name of the protocol in a form that can follow "the": `Model Context Protocol`. Generated text uses it. */
  readonly name?: string;
  /** URL of the revision's specification. Its site resolves links to paths in the schema's comments. */
  readonly specification?: string;
  readonly keywords?: readonly string[];
  readonly extends?: string;
  /** Revision that was current before this one was published. */
  readonly previous?: string;
  /** Main novelty of the revision in one line, for tables and menus. */
  readonly title?: string;
  /** Release date, `YYYY-MM-DD`. */
  readonly released?: string;
  /** Published file that the bundled schema is a copy of. */
  readonly official?: OfficialSource;
  /** Error codes that only the prose states. */
  readonly errorCodes?: readonly ErrorCodeFact[];
  /** Exceptions to the rule that derives capabilities from the names of methods. */
  readonly capabilities?: readonly CapabilityFact[];
  readonly conditions?: readonly ConditionFact[];
  /** Senders of messages, for schemas without unions that state them. */
  readonly directions?: readonly DirectionFact[];
  /** Traits that a partial schema, such as an extension's, does not show. */
  readonly traits?: readonly TraitFact[];
  /** Requirements on transports and features that only the prose states; the defaults are in `conventions.ts`. */
  readonly conventions?: readonly ConventionFact[];
  readonly headers?: readonly HeaderFact[];
  /** Parameters that the header `Mcp-Name` mirrors. The defaults are in `headers.ts`. */
  readonly nameHeaders?: readonly NameHeaderFact[];
  /** Requests whose arguments may be mirrored in headers. The default is in `headers.ts`. */
  readonly paramHeaders?: readonly ParamHeadersFact[];
  /** Results of an extension that may be returned instead of those of the revision. */
  readonly alternatives?: readonly AlternativeFact[];
  /** Types of an extension whose members are added to an object in the parameters of the revision's messages. */
  readonly joins?: readonly JoinFact[];
  /** Notifications of an extension that clients can subscribe to. */
  readonly topics?: readonly TopicFact[];
  /** Side that alone declares an extension; at most one fact. Without a fact, both sides declare the extension. */
  readonly declaredBy?: readonly DeclaredByFact[];
  readonly formats?: readonly FormatFact[];
  /** Types and methods that replaced those of the previous revision. */
  readonly successors?: readonly SuccessorFact[];
  /** Handwritten rules for the translation of messages. They also apply to later revisions. */
  readonly rules?: readonly RuleFact[];
  /** Treatment of places that differ between revisions. It also applies in later revisions. */
  readonly places?: readonly PlaceFact[];
  readonly accepted?: readonly AcceptedFact[];
  readonly errata?: readonly Erratum[];
  /** File that the facts were read from; absent for facts created in memory. */
  readonly origin?: FactsOrigin;
}

export interface FactsOrigin {
  readonly file: string;
  readonly text: string;
}

export interface OfficialSource {
  readonly url: string;
  /** SHA-256 digest of the file's bytes, in hexadecimal. */
  readonly sha256: string;
  readonly api: string;
  readonly wire: string;
}

/** Reason for a fact, paraphrased, and the page that states it. */
export interface Evidence {
  readonly reason: string;
  readonly source: string;
}

export interface ErrorCodeFact extends Evidence {
  readonly name: string;
  readonly code: number;
  /** Requests that can fail with this code; absent if any can. */
  readonly methods?: readonly string[];
}

export interface CapabilityFact extends Evidence {
  /**
   * Method that requires the capability. `*` with the capability `null` disables the rule that derives
   * capabilities from the names of methods.
   */
  readonly method: string;
  /** Required capability; `null` if the method requires none, contrary to the rule. */
  readonly capability: string | null;
}

export interface ConditionFact extends Evidence {
  readonly method: string;
  /** Member of the parameters; a nested one is written with dots. */
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
   * Kind of a message whose method suggests the other kind. The methods of notifications normally contain
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
  /** Name of the header field; with a trailing `*`, all names with this prefix. */
  readonly header: string;
  readonly from: "client" | "server" | "both";
  /** `GET` if only requests without a message have the header field. */
  readonly request?: "GET";
}

export interface NameHeaderFact extends Evidence {
  readonly method: string;
  readonly member: string;
}

export interface ParamHeadersFact extends Evidence {
  readonly method: string;
  /** Method whose result contains the schemas that state which arguments are repeated. */
  readonly schemas: string;
}

export interface AlternativeFact extends Evidence {
  /** Request of the revision whose result may be replaced. */
  readonly method: string;
  readonly type: string;
  /** Value of `resultType` that identifies the result. */
  readonly resultType: string;
}

export interface JoinFact extends Evidence {
  readonly method: string;
  /** Member of the message's parameters that contains the object to which members are added. */
  readonly member: string;
  readonly type: string;
}

export interface TopicFact extends Evidence {
  /** Member that is added to the filter of subscriptions. */
  readonly member: string;
  readonly notification: string;
  /**
   * Member of the notification's parameters whose value must be among those that the filter lists. Without a key, the
   * member of the filter is a boolean.
   */
  readonly key?: string;
}

/** Fact that only one side declares an extension, which can therefore be used with every peer. */
export interface DeclaredByFact extends Evidence {
  readonly side: "server";
}

/** Format of a member's values, which replaces the schema's own tag. */
export interface FormatFact extends Evidence {
  /**
   * `Type.member`, or `*.member` for all members with this name; a trailing `[]` means the elements of the
   * member.
   */
  readonly place: string;
  readonly format: string;
  /** Names of the members to which the format applies; only for the format `exactly-one`. */
  readonly members?: readonly string[];
}

export interface SuccessorFact extends Evidence {
  /** Type or method of the previous revision. In this revision, the name may have another meaning. */
  readonly from: string;
  readonly to: string;
}

/** Handwritten rule that translates a place into the form of the previous revision. */
export interface RuleFact extends Evidence {
  /** Type of this revision, or one of its members as `Type.member`; `[]` stands for the elements of an array. */
  readonly place: string;
  /** Name of the rule in `runtime/facade/project/rules.ts`. */
  readonly rule: string;
  /**
   * Condition under which the rule runs. `around`: wherever the place differs, in addition to the derived changes.
   * `required`: like `around`, but only if the older revision requires a member that this one does not. `whole`:
   * instead of the derived changes. `always`: even if nothing differs.
   */
  readonly extent: "around" | "required" | "whole" | "always";
}

export interface PlaceFact extends Evidence {
  readonly place: string;
  /**
   * Translation of the place. `engine`: the engine adds and removes the member. `opaque`: the value belongs to
   * the program and is passed on unchanged. `keep`: the member may be sent in revisions that do not declare it.
   * `strip`: the member is removed, because the rest keeps its meaning without it. `refuse`: the message is
   * rejected, because it would change its meaning without the member. `indivisible`: no part can be left out
   * without changing the meaning of the rest.
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
  /** Alternatives to add to a union. */
  readonly arms?: readonly string[];
  /** Paths of the members that lack the constraints, written with dots. */
  readonly members?: readonly string[];
  readonly constraints?: Constraints;
}

export interface FactRow {
  readonly list: string;
  /** Subject of the fact: a method, a place, a convention, … */
  readonly about: string;
}

export interface InheritedFacts {
  readonly from: string;
  readonly facts: Facts;
  readonly rows: readonly FactRow[];
  readonly dropped: readonly (FactRow & { readonly reason: string })[];
}
