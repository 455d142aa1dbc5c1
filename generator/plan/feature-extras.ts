import type { Protocol } from "../link/protocol.js";
import type { FeaturePlan } from "./revision-plan.js";
import type { FeatureName } from "./runtime-imports.js";

interface ExtraRule {
  readonly names: readonly string[];
  /** They go with any of these features. */
  readonly features: readonly FeatureName[];
  /** Messages without which they do nothing. */
  readonly methods?: readonly string[];
  /** Client capability that one of these messages needs to have any effect. */
  readonly capability?: string;
}

/** Exports of the runtime that accompany features and need no types of a revision. */
const RULES: readonly ExtraRule[] = [
  { names: ["ToolError"], features: ["Tools"] },
  { names: ["UriTemplate", "resourceNotFound"], features: ["Resources"] },
  { names: ["Cursors"], features: ["Tools", "Prompts", "Resources"] },
  { names: ["UserRejectedError"], features: ["Sampling"] },
  {
    names: ["elicitForm"],
    features: ["Elicitation"],
    methods: ["elicitation/create"],
  },
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

/** Names that features.ts re-exports, so that one import is enough; in code point order. */
export function planFeatureExtras(
  { methods }: Protocol,
  classes: readonly FeaturePlan[],
): string[] {
  return RULES.filter(({ features, methods: needed = [], capability }) => {
    const found = needed.map((name) => methods.find(({ method }) => method === name));
    const isThere = found.every((method) => method !== undefined);
    const conditions = found.flatMap((method) => method?.conditions ?? []);
    const isPossible =
      capability === undefined ||
      conditions.some((condition) => condition.capability === capability);
    return isThere && isPossible && classes.some(({ name }) => features.includes(name));
  })
    .flatMap(({ names }) => names)
    .toSorted();
}
