import { type Revision, quote } from "../../../wire/index.js";
import type { Exchange } from "../requests/exchange.js";
import { type Problem, problem } from "../requests/problem.js";

/** Problem of a request whose `MCP-Protocol-Version` is not the session's. The field may be absent. */
export function versionProblem(
  exchange: Exchange,
  agreed: Revision | undefined,
): Problem | undefined {
  if (!agreed?.conventions.versionHeader) return undefined;
  const named = exchange.head.fields["mcp-protocol-version"];
  if (named === undefined || named === agreed.id) return undefined;
  return problem(
    400,
    `MCP-Protocol-Version is ${quote(named)}, but this session negotiated ${agreed.id}`,
  );
}

/** True for a request that names no revision, although every client of these revisions does. */
export function lacksVersion(exchange: Exchange, revisions: readonly Revision[]): boolean {
  return (
    exchange.head.fields["mcp-protocol-version"] === undefined &&
    withoutHeader(revisions) === undefined
  );
}

/** Revision of a request without a session. One without the header comes from a client older than the header. */
export function assumedRevision(
  exchange: Exchange,
  revisions: readonly Revision[],
): Revision | Problem {
  const named = exchange.head.fields["mcp-protocol-version"];
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
