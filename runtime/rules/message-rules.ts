import type { ClientOptions, StepSource } from "../api/index.js";
import type { SideDefinition } from "../engine/index.js";
import { contentRules } from "./content.js";
import { envelopeRules } from "./envelope.js";
import { contextRules, extensionRules, relatedTaskRules } from "./extensions.js";
import { lenienceRules } from "./lenience.js";

/** Rules that the messages of a server follow, in sessions and in stateless requests. */
export function serverRules(definition: SideDefinition): StepSource[] {
  const { info, options, report, checksContent } = definition;
  const { anonymous, freshness } = options;
  const rules: StepSource[] = [
    envelopeRules({ info: anonymous ? undefined : info, freshness }),
    relatedTaskRules,
    extensionRules,
    contextRules(report),
  ];
  if (checksContent) rules.push(contentRules(report));
  return rules;
}

/** Rules that the messages of a client follow: those of servers, and lenient reading of results. */
export function clientRules(definition: SideDefinition): StepSource[] {
  const { options, revisions, report } = definition;
  const { newerRevisions = revisions, onInvalidItem } = options as ClientOptions;
  return [...serverRules(definition), lenienceRules({ newerRevisions, onInvalidItem }, report)];
}
