import type { Constraints } from "../model/schema-model.js";
import type { Conventions, Method, Traits } from "./protocol.js";

/** Facts about a revision that its schema does not state (`schema/<revision>/facts.json`). */
export interface Facts {
  readonly revision: string;
  /** Name of the protocol, as it follows "the": `Model Context Protocol`. Generated texts call it so. */
  readonly name?: string;
  /** Page of the revision's specification. Links by path in the comments of the schema lead to its site. */
  readonly specification?: string;
  /** Words by which a package registry finds the package. */
  readonly keywords?: readonly string[];
  /** Revision that an extension adds to. */
  readonly extends?: string;
  /** Revision that it followed when it was published. */
  readonly previous?: string;
  /** Main novelty of the revision, one line, for tables and menus. */
  readonly title?: string;
  /** Day of release, `YYYY-MM-DD`. */
  readonly released?: string;
  /** The published file that our restatement stands for. */
  readonly official?: OfficialSource;
  /** Codes that only the prose gives. */
  readonly errorCodes?: readonly ErrorCodeFact[];
  /** Gates that differ from the derived ones. */
  readonly capabilities?: readonly CapabilityFact[];
  /** Gates that depend on a member of the parameters. */
  readonly conditions?: readonly ConditionFact[];
  /** Senders of messages, in schemas without aggregates. */
  readonly directions?: readonly DirectionFact[];
  /** Traits that a partial schema, such as an extension's, does not show. */
  readonly traits?: readonly TraitFact[];
  /**
   * Requirements on transports and features that only the prose states; `conventions.ts` has the
   * defaults.
   */
  readonly conventions?: readonly ConventionFact[];
  /** Parameters that the header `Mcp-Name` repeats; `headers.ts` has the default. */
  readonly nameHeaders?: readonly NameHeaderFact[];
  /** Requests whose arguments may be repeated in headers; `headers.ts` has the default. */
  readonly paramHeaders?: readonly ParamHeadersFact[];
  /** Results of an extension that may come in place of those of the revision. */
  readonly alternatives?: readonly AlternativeFact[];
  /** Types of an extension whose members join an object in the parameters of the revision's messages. */
  readonly joins?: readonly JoinFact[];
  /** Notifications of an extension that subscriptions can be about. */
  readonly topics?: readonly TopicFact[];
  /** Only side that declares an extension; without it both do. One fact at most. */
  readonly declaredBy?: readonly DeclaredByFact[];
  /** Formats of members that no tag states. */
  readonly formats?: readonly FormatFact[];
  /** Types that took over from types of the revision before. */
  readonly successors?: readonly SuccessorFact[];
  /** Handwritten rules for the translation of messages, from this revision on. */
  readonly rules?: readonly RuleFact[];
  /** Treatment of places that differ between revisions, from this revision on. */
  readonly places?: readonly PlaceFact[];
  /** Findings of the linker that are right about the schema, and known. */
  readonly accepted?: readonly AcceptedFact[];
  /** Corrections of known faulty copies of the schema. */
  readonly errata?: readonly Erratum[];
  /** File that the facts were read from, for diagnostics; absent for facts made in memory. */
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

/** Why a fact is one, in our words, and the page that says so. */
export interface Evidence {
  readonly reason: string;
  readonly source: string;
}

export interface ErrorCodeFact extends Evidence {
  readonly name: string;
  readonly code: number;
}

export interface CapabilityFact extends Evidence {
  /** `*` with the capability `null` turns off the rule that names of methods show their capabilities. */
  readonly method: string;
  /** `null`: the method needs none, against the rule. */
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
  /** Kind of a message whose method shows another one: those of notifications have a segment `notifications/`. */
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

export interface NameHeaderFact extends Evidence {
  readonly method: string;
  /** Member of the parameters. */
  readonly member: string;
}

export interface ParamHeadersFact extends Evidence {
  readonly method: string;
  /** The method whose result has the schemas with the annotations. */
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
  /** Member of its parameters that has the object. */
  readonly member: string;
  /** Type of the extension that has the joining members. */
  readonly type: string;
}

export interface TopicFact extends Evidence {
  /** Member that joins the filter of subscriptions. */
  readonly member: string;
  /** Notification of the extension that it asks for. */
  readonly notification: string;
  /** Member of the notification's parameters that has one of the values asked for; without it, the member is a boolean. */
  readonly key?: string;
}

/** An extension that is used with every peer, as only one side declares it. */
export interface DeclaredByFact extends Evidence {
  readonly side: "server";
}

/** A format that the values of a member have; it stands in place of the schema's own tag. */
export interface FormatFact extends Evidence {
  /** `Type.member`, or `*.member` for all members of the name; `[]` at the end: its items. */
  readonly place: string;
  readonly format: string;
  /** Members that the format is about: for `exactly-one`. */
  readonly members?: readonly string[];
}

export interface SuccessorFact extends Evidence {
  /** Name in the revision before; it may mean something else by now. */
  readonly from: string;
  /** Name in this revision. */
  readonly to: string;
}

/** A handwritten rule translates this place into the revision before. */
export interface RuleFact extends Evidence {
  /** Type, or member as `Type.member`, of this revision; `[]` stands for the items of an array. */
  readonly place: string;
  /** Name of the rule in `runtime/facade/project/rules.ts`. */
  readonly rule: string;
  /**
   * `around`: wherever the place differs, beside the table's own differences. `required`: the same, where the older revision
   * requires a member that this one does not. `whole`: instead of the table's differences. `always`: also where nothing differs.
   */
  readonly extent: "around" | "required" | "whole" | "always";
}

export interface PlaceFact extends Evidence {
  /** See {@link RuleFact.place}. */
  readonly place: string;
  /**
   * `engine`: the engine adds and removes the member. `opaque`: people write the value in a language of their own, which is passed
   * on as it is. `keep`: the member may be sent under revisions that do not name it. `strip`: the rest says the same without the
   * member. `refuse`: the message would ask for something else without the member. `indivisible`: a part that is left out would
   * change what the rest means.
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
  /** Arms that its union lacks. */
  readonly arms?: readonly string[];
  /** Dotted paths of the members that lack the constraints. */
  readonly members?: readonly string[];
  readonly constraints?: Constraints;
}
