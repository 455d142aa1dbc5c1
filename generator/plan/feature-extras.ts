import type { Protocol } from "../link/protocol.js";
import type { FeaturePlan } from "./revision-plan.js";
import type { FeatureName } from "./runtime-imports.js";

interface ExtraRule {
  readonly names: readonly string[];
  /** They go with any of these features. */
  readonly features: readonly FeatureName[];
  /** Messages without which they do nothing; a server has to be able to send them by itself. */
  readonly methods?: readonly string[];
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
    names: ["UrlElicitationRequiredError", "completeElicitation", "elicitUrl", "urlElicitationsOf"],
    features: ["Elicitation"],
    methods: ["elicitation/create", "notifications/elicitation/complete"],
  },
];

/** What features.ts passes on as it is, so that one import is enough; in code point order. */
export function planFeatureExtras(
  { methods }: Protocol,
  classes: readonly FeaturePlan[],
): string[] {
  const isSent = (name: string): boolean =>
    methods.some(({ method, channel }) => method === name && channel === "wire");
  return RULES.filter(
    ({ features, methods: needed = [] }) =>
      classes.some(({ name }) => features.includes(name)) && needed.every(isSent),
  )
    .flatMap(({ names }) => names)
    .toSorted();
}
