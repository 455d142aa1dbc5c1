import type { ClientOptions, StepSource } from "../api/index.js";
import type { SideDefinition } from "../engine/index.js";
import { contentRules } from "./content.js";
import { envelopeRules } from "./envelope.js";
import { extensionRules, relatedTaskRules } from "./extensions.js";
import { lenienceRules } from "./lenience.js";

/** Rules that the messages of all kinds of conversations follow. */
export function messageRules(definition: SideDefinition): readonly StepSource[] {
  const { side, info, options, revisions, report, checksContent } = definition;
  const { anonymous, freshness } = options;
  const rules: StepSource[] = [
    envelopeRules({ info: anonymous ? undefined : info, freshness }),
    relatedTaskRules,
    extensionRules,
  ];
  if (checksContent) rules.push(contentRules(report));
  if (side === "client") {
    const { newerRevisions = revisions, onInvalidItem } = options as ClientOptions;
    rules.push(lenienceRules({ newerRevisions, onInvalidItem }, report));
  }
  return rules;
}
