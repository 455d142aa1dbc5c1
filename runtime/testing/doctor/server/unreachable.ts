import { revisions } from "@mcp-codegen/universal/revisions";
import type { Finding } from "../../checks/index.js";
import { showAnswer, type Visit } from "../visit.js";
import { examineEnding, lastWords } from "./life.js";
import type { Opening } from "./opening.js";

/** A revision in which no conversation could be opened. */
export interface Failed {
  readonly visit: Visit;
  readonly opening: Exclude<Opening, { readonly kind: "open" }>;
}

/** The revision whose HTTP transport is HTTP+SSE. */
export const sseRevision = revisions.find(({ conventions }) => conventions.http === "sse")!;

/** The HTTP statuses of an address that is not an endpoint. */
const NO_ENDPOINT = [404, 405, 410];

/**
 * Reports why no conversation could be opened in any revision. If the server could not be reached at all, returns the
 * reason.
 */
export function unreachableBy(
  failed: readonly Failed[],
  findings: readonly Finding[],
): string | undefined {
  const endings = failed.map(({ opening }) => {
    const answer = opening.kind === "failed" ? opening.answer : undefined;
    return answer?.kind === "closed" ? answer.ending : undefined;
  });
  const problem = endings.find((ending) => ending?.problem !== undefined)?.problem;
  if (problem !== undefined) return problem;
  const [first] = failed;
  if (first?.opening.kind !== "failed") return undefined;
  const { visit } = first;
  const { answer } = first.opening;
  const [ending] = endings;
  // A missing discovery has already been reported.
  if (findings.some(({ id }) => id === "opening-answered")) return undefined;
  const { status = 0, address } = answer.kind === "refused" ? answer.delivery : {};
  if (address !== undefined && NO_ENDPOINT.includes(status)) {
    const own = failed.find((one) => one.visit.revision === sseRevision) ?? first;
    own.visit.expect("sse-endpoint", false, {
      pointer: "/http/event/data",
      expected: "an address to which messages can be sent",
      received: `HTTP status ${status} from ${address}`,
    });
    return undefined;
  }
  if (ending?.by === "limit") return void examineEnding(visit, ending);
  visit.expect("opening-answered", false, {
    ...(answer.kind === "refused" && { line: answer.line }),
    received: ending ? lastWords(ending) : showAnswer(answer),
  });
  return undefined;
}
