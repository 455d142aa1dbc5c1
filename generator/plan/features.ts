import type { Method, Protocol } from "../link/protocol.js";
import type { Shapes } from "../model/shape.js";
import { listsOf, paramsShape } from "./families.js";
import { mayAskFirst } from "./may-ask-first.js";
import type { FeatureArgument, FeaturePlan, Side } from "./revision-plan.js";
import { type FeatureName, FEATURES_RUNTIME, RUNTIME } from "./runtime-imports.js";

/** A type argument of a feature's class. */
type Argument =
  | {
      readonly from: "item" | "params" | "result";
      readonly method: string;
      readonly members: readonly string[];
    }
  | { readonly from: "context" };

interface FeatureRule {
  readonly name: FeatureName;
  readonly side: Side;
  /** Messages without which the feature has nothing to do. */
  readonly methods: readonly string[];
  readonly arguments: readonly Argument[];
}

const CONTEXT: Argument = { from: "context" };

const item = (method: string, ...members: string[]): Argument => ({
  from: "item",
  method,
  members,
});
const params = (method: string, ...members: string[]): Argument => ({
  from: "params",
  method,
  members,
});
const result = (method: string, ...members: string[]): Argument => ({
  from: "result",
  method,
  members,
});

/** The features of the runtime: what they serve, and the types that they are made for, in their order. */
const RULES: readonly FeatureRule[] = [
  {
    name: "Tools",
    side: "server",
    methods: ["tools/list", "tools/call"],
    arguments: [item("tools/list", "name", "inputSchema"), result("tools/call"), CONTEXT],
  },
  {
    name: "Prompts",
    side: "server",
    methods: ["prompts/list", "prompts/get"],
    arguments: [item("prompts/list", "name"), result("prompts/get"), CONTEXT],
  },
  {
    name: "Resources",
    side: "server",
    methods: ["resources/list", "resources/templates/list", "resources/read"],
    arguments: [
      item("resources/list", "uri", "name"),
      item("resources/templates/list", "uriTemplate", "name"),
      result("resources/read", "contents"),
      CONTEXT,
    ],
  },
  {
    name: "Completions",
    side: "server",
    methods: ["completion/complete"],
    arguments: [CONTEXT],
  },
  { name: "Logging", side: "server", methods: ["notifications/message"], arguments: [] },
  {
    name: "Roots",
    side: "client",
    methods: ["roots/list"],
    arguments: [item("roots/list", "uri")],
  },
  {
    name: "Sampling",
    side: "client",
    methods: ["sampling/createMessage"],
    arguments: [
      params("sampling/createMessage", "messages", "maxTokens"),
      result("sampling/createMessage"),
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

/** The features that a revision has: those whose messages it has, with types of the shape that they need. */
export function planFeatures(protocol: Protocol, shapes: Shapes): FeaturePlan[] {
  const methodOf = (name: string): Method | undefined =>
    protocol.methods.find(({ method }) => method === name);
  return RULES.flatMap(({ name, side, methods, arguments: needed }) => {
    const served = methods.map(methodOf).filter((method) => method !== undefined);
    if (served.length < methods.length) return [];
    const types = needed
      .map((argument) => argumentOf(argument, protocol, shapes))
      .filter((argument) => argument !== undefined);
    if (types.length < needed.length) return [];
    return [{ name, side, arguments: types, deprecated: served.every((one) => one.deprecated) }];
  });
}

/** Module of the runtime with the features, beside the one that generated code imports; not every runtime has it. */
export function featuresModule(runtime: string): string | undefined {
  return runtime === RUNTIME ? FEATURES_RUNTIME : undefined;
}

/** A type that has the members that the feature needs; undefined where the revision has none. */
function argumentOf(
  argument: Argument,
  protocol: Protocol,
  shapes: Shapes,
): FeatureArgument | undefined {
  if (argument.from === "context") return { type: "", mayAsk: false };
  const method = protocol.methods.find((candidate) => candidate.method === argument.method)!;
  const name = {
    item: () => listsOf(method, shapes)[0]?.item,
    params: () => method.params?.type,
    result: () => method.result?.type,
  }[argument.from]();
  const members = name === undefined ? undefined : paramsShape(name, protocol, shapes)?.members;
  const isThere = (member: string): boolean => members?.get(member)?.optional === false;
  if (name === undefined || !argument.members.every(isThere)) return undefined;
  const isResult = argument.from === "result" && argument.members.length === 0;
  return { type: name, mayAsk: isResult && mayAskFirst(method) };
}
