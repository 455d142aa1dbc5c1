import { revisions } from "@mcp-codegen/universal/revisions";
import type { IncomingHttpHeaders } from "node:http";

const SESSION = "mcp-session-id";

/** Numbers of the conversations of an HTTP server: one for each session. */
export interface Conversations {
  /** Place of a request; its body decides whether it opens a session. */
  ofRequest(
    headers: IncomingHttpHeaders,
    exchange: number,
  ): { conversation(body: string | undefined): number };
  ofResponse(headers: IncomingHttpHeaders, exchange: number): number;
}

const opening = new Set(
  revisions.flatMap(({ methods }) =>
    [...methods.values()].flatMap(({ role, method }) => (role === "initialize" ? [method] : [])),
  ),
);

/** Creates the numbers of the conversations of one server. */
export function conversations(): Conversations {
  const sessions = new Map<string, number>();
  const exchanges = new Map<number, number>();
  let last = 0;
  /** Conversation of requests without a session. */
  let current = 1;
  return {
    ofRequest(headers, exchange) {
      const { [SESSION]: session } = headers;
      return {
        conversation(body) {
          const known = typeof session === "string" ? sessions.get(session) : undefined;
          if (known === undefined && opens(body)) current = ++last;
          last = Math.max(last, 1);
          const number = known ?? current;
          exchanges.set(exchange, number);
          return number;
        },
      };
    },
    ofResponse(headers, exchange) {
      const number = exchanges.get(exchange) ?? current;
      exchanges.delete(exchange);
      const { [SESSION]: session } = headers;
      if (typeof session === "string") sessions.set(session, number);
      return number;
    },
  };
}

/** True for a body that opens a session. */
function opens(body: string | undefined): boolean {
  if (body === undefined) return false;
  try {
    const { method } = JSON.parse(body) as { readonly method?: unknown };
    return typeof method === "string" && opening.has(method);
  } catch {
    return false;
  }
}
