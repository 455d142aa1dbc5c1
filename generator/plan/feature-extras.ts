import type { Protocol } from "../link/protocol.js";
import type { FeaturePlan } from "./revision-plan.js";
import type { FeatureName } from "./runtime-imports.js";

interface ExtraRule {
  readonly names: readonly string[];
  /** They go with any of these features. */
  readonly features: readonly FeatureName[];
  /** Messages without which they do nothing. */
  readonly methods?: readonly string[];
  /** What one of these messages may need of the client, without which they do nothing. */
  readonly capability?: string;
}

/** What goes with features in the runtime, and needs no types of a revision. */
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

/** What features.ts passes on as it is, so that one import is enough; in code point order. */
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
