import type { MethodFamily } from "@mcp-codegen/runtime";
import type { Method, Protocol } from "../link/protocol.js";
import type { Shapes } from "../model/shape.js";
import { listsOf, paramsShape } from "./families.js";
import { mayAskFirst } from "./stubs.js";
import type { FeatureArgument, FeaturePlan, Side } from "./revision-plan.js";
import { RUNTIME } from "./runtime-imports.js";

/**
 * Module of the runtime that features.ts imports. It is the only one, besides those made for generated code, that
 * generated code may import.
 */
export const FEATURES_RUNTIME = "@mcp-codegen/runtime/features";

/** Type argument of a feature's class, and the members that the type must have. */
type Argument =
  | {
      readonly from: "item" | "params" | "result";
      readonly method: string;
      readonly members: readonly string[];
    }
  | { readonly from: "context" };

interface FeatureRule {
  readonly name: string;
  readonly side: Side;
  /** Messages that the feature requires. */
  readonly methods: readonly string[];
  readonly arguments: readonly Argument[];
}

/**
 * Features that serve a family of methods, by the family's name. The members are those that the class requires of
 * the items, in addition to their key, and of the result of using an item; there is no result if the class only
 * lists items.
 */
const FAMILIES: Readonly<
  Record<string, { readonly items: readonly string[]; readonly result?: readonly string[] }>
> = {
  Tools: { items: ["inputSchema"], result: [] },
  Prompts: { items: [], result: [] },
  Resources: { items: ["name"], result: ["contents"] },
  Roots: { items: [] },
};

const CONTEXT: Argument = { from: "context" };

/** Features that serve single messages. */
const MESSAGES: readonly FeatureRule[] = [
  {
    name: "Completions",
    side: "server",
    methods: ["completion/complete"],
    arguments: [CONTEXT],
  },
  { name: "Logging", side: "server", methods: ["notifications/message"], arguments: [] },
  {
    name: "Sampling",
    side: "client",
    methods: ["sampling/createMessage"],
    arguments: [
      { from: "params", method: "sampling/createMessage", members: ["messages", "maxTokens"] },
      { from: "result", method: "sampling/createMessage", members: [] },
      CONTEXT,
    ],
  },
  {
    name: "Elicitation",
    side: "client",
    methods: ["elicitation/create"],
    arguments: [CONTEXT],
  },
];

/** Names of the features that the runtime has, in the order of features.ts. */
export const FEATURE_NAMES: readonly string[] = [
  ...Object.keys(FAMILIES),
  ...MESSAGES.map(({ name }) => name),
];

interface ExtraRule {
  readonly names: readonly string[];
  /** Features with which these exports are useful; at least one must be present. */
  readonly features: readonly string[];
  /** Messages that the revision must have, because these exports would otherwise have no effect. */
  readonly methods?: readonly string[];
  /** Client capability that a condition of one of these messages must name; otherwise, the exports have no effect. */
  readonly capability?: string;
}

/** Exports of the runtime that belong to features, but need no types of a revision. */
const EXTRAS: readonly ExtraRule[] = [
  { names: ["ToolError"], features: ["Tools"] },
  { names: ["UriTemplate", "resourceNotFound"], features: ["Resources"] },
  { names: ["Cursors"], features: Object.keys(FAMILIES).filter((name) => name !== "Roots") },
  { names: ["UserRejectedError"], features: ["Sampling"] },
  { names: ["elicitForm"], features: ["Elicitation"], methods: ["elicitation/create"] },
  {
    names: ["elicitUrl"],
    features: ["Elicitation"],
    methods: ["elicitation/create"],
    capability: "client.elicitation.url",
  },
  {
    names: ["UrlElicitationRequiredError", "completeElicitation", "urlElicitationsOf"],
    features: ["Elicitation"],
    methods: ["notifications/elicitation/complete"],
  },
];

/**
 * Plans features.ts of a revision: the features whose messages the revision has; undefined if there are none, or
 * if another runtime is used.
 */
export function planFeatures(
  protocol: Protocol,
  shapes: Shapes,
  families: readonly MethodFamily[],
  runtime: string,
): { module: string; classes: FeaturePlan[]; extras: string[] } | undefined {
  const rules = [...familyRules(families), ...MESSAGES];
  const classes = rules.flatMap((rule) => classOf(rule, protocol, shapes));
  if (runtime !== RUNTIME || classes.length === 0) return undefined;
  return { module: FEATURES_RUNTIME, classes, extras: extrasOf(protocol, classes) };
}

/**
 * Returns the rules of the features that serve families. Their classes have types of the items and of the result,
 * and the context of handlers, as arguments.
 */
function familyRules(families: readonly MethodFamily[]): FeatureRule[] {
  return Object.entries(FAMILIES).flatMap(([name, needed]) => {
    const own = families.find((family) => family.name === name.toLowerCase());
    if (own === undefined || (needed.result && own.use === undefined)) return [];
    const lists = [own, ...families.filter(({ templatesOf }) => templatesOf === own.name)];
    const items = lists.map(({ list, key }): Argument => {
      return { from: "item", method: list, members: [key, ...needed.items] };
    });
    const use = needed.result && own.use;
    const result: Argument[] = use
      ? [{ from: "result", method: use, members: needed.result }, CONTEXT]
      : [];
    const methods = [...lists.map(({ list }) => list), ...(use ? [use] : [])];
    const side = own.from === "client" ? "server" : "client";
    return [{ name, side, methods, arguments: [...items, ...result] }];
  });
}

/** Returns the class of a feature, if the revision has its messages, with types that have the required members. */
function classOf(
  { name, side, methods, arguments: needed }: FeatureRule,
  protocol: Protocol,
  shapes: Shapes,
): FeaturePlan[] {
  const served = methods
    .map((method) => protocol.methods.find((candidate) => candidate.method === method))
    .filter((method) => method !== undefined);
  if (served.length < methods.length) return [];
  const types = needed
    .map((argument) => argumentOf(argument, protocol, shapes))
    .filter((argument) => argument !== undefined);
  if (types.length < needed.length) return [];
  return [{ name, side, arguments: types, deprecated: served.every((one) => one.deprecated) }];
}

/** Returns a type with the members that the feature requires; undefined if the revision has none. */
function argumentOf(
  argument: Argument,
  protocol: Protocol,
  shapes: Shapes,
): FeatureArgument | undefined {
  if (argument.from === "context") return { type: "", mayAsk: false };
  const method = protocol.methods.find((candidate) => candidate.method === argument.method)!;
  const name = typeOf(argument.from, method, shapes);
  const members = name === undefined ? undefined : paramsShape(name, protocol, shapes)?.members;
  const isRequired = (member: string): boolean => members?.get(member)?.optional === false;
  if (name === undefined || !argument.members.every(isRequired)) return undefined;
  const isResult = argument.from === "result" && argument.members.length === 0;
  return { type: name, mayAsk: isResult && mayAskFirst(method) };
}

function typeOf(
  part: "item" | "params" | "result",
  method: Method,
  shapes: Shapes,
): string | undefined {
  return part === "item" ? listsOf(method, shapes)[0]?.item : method[part]?.type;
}

/** Returns the names that features.ts re-exports, so that a single import suffices; in code point order. */
function extrasOf({ methods }: Protocol, classes: readonly FeaturePlan[]): string[] {
  return EXTRAS.filter(({ features, methods: needed = [], capability }) => {
    const found = needed.map((name) => methods.find(({ method }) => method === name));
    const conditions = found.flatMap((method) => method?.conditions ?? []);
    const isPossible =
      capability === undefined ||
      conditions.some((condition) => condition.capability === capability);
    const hasAll = found.every((method) => method !== undefined);
    return hasAll && isPossible && classes.some(({ name }) => features.includes(name));
  })
    .flatMap(({ names }) => names)
    .toSorted();
}
