import type { MethodFamily } from "@mcp-codegen/runtime";
import type { Method, Protocol } from "../link/protocol.js";
import type { Shapes } from "../model/shape.js";
import { listsOf, paramsShape } from "./families.js";
import { mayAskFirst } from "./stubs.js";
import type { FeatureArgument, FeaturePlan, Side } from "./revision-plan.js";
import { RUNTIME } from "./runtime-imports.js";

/**
 * The runtime module that features.ts imports. Generated code must not import any other modules, except those generated
 * for it.
 */
export const FEATURES_RUNTIME = "@mcp-codegen/runtime/features";

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
  readonly methods: readonly string[];
  readonly arguments: readonly Argument[];
}

/**
 * The features that serve a method family, by family name. `items` lists the members that the feature's class requires
 * of each item, besides its key; `result` lists those it requires of the result of using an item. Without `result`, the
 * class only lists items.
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

export const FEATURE_NAMES: readonly string[] = [
  ...Object.keys(FAMILIES),
  ...MESSAGES.map(({ name }) => name),
];

interface ExtraRule {
  readonly names: readonly string[];
  /** The features for which the exports are useful. At least one must be present. */
  readonly features: readonly string[];
  /** The messages without which the exports would have no effect. */
  readonly methods?: readonly string[];
  /**
   * The client capability without which the exports would have no effect. One of the messages must have it as a
   * condition.
   */
  readonly capability?: string;
}

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
 * Plans features.ts. Returns undefined if the revision lacks the messages of every feature, or if a different runtime
 * is used.
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
