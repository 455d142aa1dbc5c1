import type { Knowledge } from "./support/knows.js";
import type { WireTraits } from "./wires/wire.js";

/** What a case cannot do without. */
export type Need = keyof Knowledge | keyof WireTraits;

const MISSING: Readonly<Record<Need, string>> = {
  asks: "the server cannot ask the client",
  audio: "there is no audio",
  early: "the client receives nothing before initialize",
  tells: "notifications of a request do not come with its answer",
  batches: "there are no batches",
  completionCapability: "completion is not declared",
  completionContext: "completion has no context",
  elicitation: "there is no elicitation",
  noBatches: "there are batches",
  progressMessages: "progress has no message",
  resourceLinks: "there are no resource links",
  samplingTools: "sampling has no tools",
  sessions: "requests are stateless",
  shared: "each client has a server of its own",
  structuredOutput: "there is no structured output",
  tasks: "there are no tasks",
  urlElicitation: "elicitation has no URLs",
};

/** Why a case is skipped, if it is: what the wire or the revision lacks. */
export function reasonToSkip(
  needs: readonly Need[],
  { name, traits }: { name: string; traits: WireTraits },
  id: string,
  knows: Knowledge,
): string | undefined {
  for (const need of needs) {
    const isOfWire = need in traits;
    const isMet = isOfWire ? traits[need as keyof WireTraits] : knows[need as keyof Knowledge];
    if (!isMet) return `${isOfWire ? name : id}: ${MISSING[need]}`;
  }
  return undefined;
}
