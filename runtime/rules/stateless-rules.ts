import type { StepSource } from "../api/index.js";
import type { SideDefinition } from "../engine/index.js";
import { envelopeRules } from "./envelope.js";
import { extensionRules } from "./extensions.js";
import { clientRules, commonRules } from "./message-rules.js";

/** Rules that the messages of a stateless server follow: results have an envelope, and may be those of extensions. */
export function statelessServerRules(definition: SideDefinition): StepSource[] {
  return [...ownRules(definition), ...commonRules(definition)];
}

/** Rules that the messages of a stateless client follow. */
export function statelessClientRules(definition: SideDefinition): StepSource[] {
  return [...ownRules(definition), ...clientRules(definition)];
}

function ownRules({ info, options }: SideDefinition): StepSource[] {
  const { anonymous, freshness } = options;
  return [envelopeRules({ info: anonymous ? undefined : info, freshness }), extensionRules];
}
