import type { Span } from "../diagnostics.js";
import type { JsonPath } from "./json-position.js";
import type { Conventions, Method, Traits } from "@mcp-codegen/runtime";
import type { Constraints } from "../model/schema-model.js";

/** Problem of a schema or of its facts, before its position is known. */
export interface Problem {
  readonly code: string;
  readonly severity?: "error" | "warning";
  readonly message: string;
  readonly hint: string;
  /** Lines of a schema that would solve the problem. */
  readonly example?: string | undefined;
  /** Place in the schema. */
  readonly span?: Span;
  /** Place in the facts, for problems of the facts. */
  readonly fact?: JsonPath;
  /** Declaration that an `accepted` fact must name to suppress the problem; absent if it cannot be suppressed. */
  readonly about?: string;
}

/** Facts about a revision that its schema does not state (`schema/<revision>/facts.json`). */
export interface Facts {
  readonly revision: string;
  /**
   * Name of the protocol in a form that can follow "the": `Model Context Protocol`. Generated texts
   * use it.
   */
  readonly name?: string;
  /**
   * Page of the revision's specification. Links by path in the comments of the schema are resolved against its site.
   */
  readonly specification?: string;
  /** Keywords for the package registry. */
  readonly keywords?: readonly string[];
  /** Revision that an extension adds to. */
  readonly extends?: string;
  /** Previous revision at the time of publication. */
  readonly previous?: string;
  /** Main novelty of the revision in one line, for tables and menus. */
  readonly title?: string;
  /** Day of release, `YYYY-MM-DD`. */
  readonly released?: string;
  /** The published file that the bundled schema restates. */
  readonly official?: OfficialSource;
  /** Error codes that only the prose states. */
  readonly errorCodes?: readonly ErrorCodeFact[];
  /** Capabilities that differ from the derived ones. */
  readonly capabilities?: readonly CapabilityFact[];
  /** Conditions that depend on a member of the parameters. */
  readonly conditions?: readonly ConditionFact[];
  /** Senders of messages, in schemas without aggregates. */
  readonly directions?: readonly DirectionFact[];
  /** Traits that a partial schema, such as an extension's, does not show. */
  readonly traits?: readonly TraitFact[];
  /** Requirements on transports and features that only the prose states; the defaults are in `conventions.ts`. */
  readonly conventions?: readonly ConventionFact[];
  /** Header fields of HTTP that the prose defines or requires. */
  readonly headers?: readonly HeaderFact[];
  /** Parameters that the header `Mcp-Name` repeats; the default is in `headers.ts`. */
  readonly nameHeaders?: readonly NameHeaderFact[];
  /** Requests whose arguments may be repeated in headers; the default is in `headers.ts`. */
  readonly paramHeaders?: readonly ParamHeadersFact[];
  /** Results of an extension that may be returned instead of those of the revision. */
  readonly alternatives?: readonly AlternativeFact[];
  /** Types of an extension whose members are added to an object in the parameters of the revision's messages. */
  readonly joins?: readonly JoinFact[];
  /** Notifications of an extension that clients can subscribe to. */
  readonly topics?: readonly TopicFact[];
  /** The only side that declares an extension; without it, both do. At most one fact. */
  readonly declaredBy?: readonly DeclaredByFact[];
  /** Formats of members that no tag states. */
  readonly formats?: readonly FormatFact[];
  /** Types and methods that replaced those of the previous revision. */
  readonly successors?: readonly SuccessorFact[];
  /** Handwritten rules for the translation of messages, from this revision on. */
  readonly rules?: readonly RuleFact[];
  /** Treatment of places that differ between revisions, from this revision on. */
  readonly places?: readonly PlaceFact[];
  /** Known findings of the linker that are intended by the schema. */
  readonly accepted?: readonly AcceptedFact[];
  /** Corrections to known faulty copies of the schema. */
  readonly errata?: readonly Erratum[];
  /** File that the facts were read from, for diagnostics; absent for facts created in memory. */
  readonly origin?: FactsOrigin;
}

export interface FactsOrigin {
  readonly file: string;
  readonly text: string;
}

export interface OfficialSource {
  readonly url: string;
  /** SHA-256 digest of the file's bytes, hex. */
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
  /** Requests that are answered with it; without it, any. */
  readonly methods?: readonly string[];
}

export interface CapabilityFact extends Evidence {
  /** `*` with the capability `null` disables the rule that derives capabilities from the names of methods. */
  readonly method: string;
  /** `null`: the method requires none, contrary to the rule. */
  readonly capability: string | null;
}

export interface ConditionFact extends Evidence {
  readonly method: string;
  /** Member of the parameters, dotted when nested. */
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
  /** Kind of a message whose method suggests another one: methods of notifications have a segment `notifications/`. */
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

/** Header field of HTTP; the reason states when it is sent, and what it contains. */
export interface HeaderFact extends Evidence {
  /** Name; with a trailing `*`, all names with this prefix. */
  readonly header: string;
  readonly from: "client" | "server" | "both";
  /** HTTP method of the only requests that have it, which carry no message. */
  readonly request?: "GET";
}

export interface NameHeaderFact extends Evidence {
  readonly method: string;
  /** Member of the parameters. */
  readonly member: string;
}

export interface ParamHeadersFact extends Evidence {
  readonly method: string;
  /** The method whose result contains the schemas with the annotations. */
  readonly schemas: string;
}

export interface AlternativeFact extends Evidence {
  /** Request of the revision. */
  readonly method: string;
  /** Type of the extension. */
  readonly type: string;
  /** Value of `resultType` that announces it. */
  readonly resultType: string;
}

export interface JoinFact extends Evidence {
  /** Message of the revision. */
  readonly method: string;
  /** Member of its parameters that contains the object. */
  readonly member: string;
  /** Type of the extension that declares the additional members. */
  readonly type: string;
}

export interface TopicFact extends Evidence {
  /** Member that is added to the filter of subscriptions. */
  readonly member: string;
  /** Notification of the extension that it subscribes to. */
  readonly notification: string;
  /**
   * Member of the notification's parameters that contains one of the requested values; without it, the filter member
   * is a boolean.
   */
  readonly key?: string;
}

/** An extension that is used with every peer, because only one side declares it. */
export interface DeclaredByFact extends Evidence {
  readonly side: "server";
}

/** Format of a member's values; it replaces the schema's own tag. */
export interface FormatFact extends Evidence {
  /** `Type.member`, or `*.member` for all members of that name; a trailing `[]` means its items. */
  readonly place: string;
  readonly format: string;
  /** Members that the format concerns; only for the format `exactly-one`. */
  readonly members?: readonly string[];
}

export interface SuccessorFact extends Evidence {
  /** Type or method of the previous revision; the name may have another meaning by now. */
  readonly from: string;
  /** Type or method of this revision. */
  readonly to: string;
}

/** A handwritten rule that translates this place into the previous revision. */
export interface RuleFact extends Evidence {
  /** Type, or member as `Type.member`, of this revision; `[]` stands for the items of an array. */
  readonly place: string;
  /** Name of the rule in `runtime/facade/project/rules.ts`. */
  readonly rule: string;
  /**
   * `around`: wherever the place differs, in addition to the table's own differences. `required`: the same, if the
   * older revision requires a member that this one does not. `whole`: instead of the table's differences. `always`:
   * even if nothing differs.
   */
  readonly extent: "around" | "required" | "whole" | "always";
}

export interface PlaceFact extends Evidence {
  /** See {@link RuleFact.place}. */
  readonly place: string;
  /**
   * `engine`: the engine adds and removes the member. `opaque`: users write the value in their own language, and it
   * is passed on unchanged. `keep`: the member may be sent under revisions that do not declare it. `strip`: the rest
   * has the same meaning without the member. `refuse`: the message would have another meaning without the member.
   * `indivisible`: omitting a part would change the meaning of the rest.
   */
  readonly treatment: "engine" | "opaque" | "keep" | "strip" | "refuse" | "indivisible";
}

export interface AcceptedFact extends Evidence {
  /** Code of the diagnostic, `MCG3012`. */
  readonly code: string;
  /** The declaration that it is about. */
  readonly about: string;
}

export interface Erratum extends Evidence {
  /** SHA-256 digest of the faulty file's bytes, hex. */
  readonly sha256: string;
  readonly declaration: string;
  /** Arms missing from its union. */
  readonly arms?: readonly string[];
  /** Dotted paths of the members that lack the constraints. */
  readonly members?: readonly string[];
  readonly constraints?: Constraints;
}

/** A row of the facts, in the form in which reports list it. */
export interface FactRow {
  readonly list: string;
  /** Subject of the row: a method, a place, a convention, … */
  readonly about: string;
}

/** Facts of an earlier revision that hold for a schema without facts of its own. */
export interface InheritedFacts {
  /** Revision that the facts come from. */
  readonly from: string;
  readonly facts: Facts;
  readonly rows: readonly FactRow[];
  /** Rows that do not apply to the schema, and why. */
  readonly dropped: readonly (FactRow & { readonly reason: string })[];
}
