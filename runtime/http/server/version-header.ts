import { type Revision, quote, revisionOfErrors } from "../../wire/index.js";
import type { RequestHead } from "./exchange.js";
import { type Problem, problem } from "./problem.js";

const FIELD = "mcp-protocol-version";

/** Why a request does not belong to what was agreed on, by its `MCP-Protocol-Version`. Saying nothing is fine. */
export function versionProblem(
  head: RequestHead,
  agreed: Revision | undefined,
): Problem | undefined {
  if (!agreed?.conventions.versionHeader) return undefined;
  const named = head.header(FIELD);
  if (named === undefined || named === agreed.id) return undefined;
  return problem(
    400,
    `MCP-Protocol-Version is ${quote(named)}, but ${agreed.id} was agreed on for this session`,
  );
}

/** The revision that a request names, whether or not it may. */
export function namedRevision(
  head: RequestHead,
  revisions: readonly Revision[],
): Revision | undefined {
  const named = head.header(FIELD);
  return named === undefined ? undefined : revisions.find(({ id }) => id === named);
}

/** Revision that says how an error without an id looks: the one that the request names, or else the strictest. */
export function revisionOfRefusal(
  head: RequestHead,
  revisions: readonly Revision[],
): Revision | undefined {
  return namedRevision(head, revisions) ?? revisionOfErrors(revisions);
}

/** True for a request that names no revision, although every client of these revisions does. */
export function lacksHeader(head: RequestHead, revisions: readonly Revision[]): boolean {
  return head.header(FIELD) === undefined && withoutHeader(revisions) === undefined;
}

/** Revision of a request without a session. One without the header comes from a client older than the header. */
export function assumedRevision(
  head: RequestHead,
  revisions: readonly Revision[],
): Revision | Problem {
  const named = head.header(FIELD);
  const found =
    named === undefined ? withoutHeader(revisions) : revisions.find(({ id }) => id === named);
  if (found) return found;
  const known = revisions.map(({ id }) => id).join(", ");
  const what = named === undefined ? "is missing" : `${quote(named)} is not supported`;
  return problem(400, `MCP-Protocol-Version ${what}: send one of ${known}`);
}

function withoutHeader(revisions: readonly Revision[]): Revision | undefined {
  const older = revisions.filter(({ conventions }) => !conventions.versionHeader);
  return older.find(({ conventions }) => conventions.http === "streamable") ?? older[0];
}
