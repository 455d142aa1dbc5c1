import { SESSION_HEADER } from "./local-http.js";
import type { IncomingHttpHeaders } from "node:http";
import { roleOf } from "../checks/roles.js";
import { parsed, member } from "../tape/json-value.js";

/** Numbers of the conversations of an HTTP server: one for each session. */
export interface Conversations {
  /** Number of a request; its body decides if it opens a session. */
  ofRequest(headers: IncomingHttpHeaders, exchange: number, body: string | undefined): number;
  ofResponse(headers: IncomingHttpHeaders, exchange: number): number;
}

/** Creates the numbers of the conversations of one server. */
export function conversations(): Conversations {
  const sessions = new Map<string, number>();
  const exchanges = new Map<number, number>();
  let last = 0;
  /** Conversation of requests without a session. */
  let current = 1;
  return {
    ofRequest({ [SESSION_HEADER]: session }, exchange, body) {
      const known = typeof session === "string" ? sessions.get(session) : undefined;
      if (known === undefined && opens(body)) current = ++last;
      last = Math.max(last, 1);
      const number = known ?? current;
      exchanges.set(exchange, number);
      return number;
    },
    ofResponse({ [SESSION_HEADER]: session }, exchange) {
      const number = exchanges.get(exchange) ?? current;
      exchanges.delete(exchange);
      if (typeof session === "string") sessions.set(session, number);
      return number;
    },
  };
}

/** True for a body that opens a session. */
function opens(body: string | undefined): boolean {
  return roleOf(member(parsed(body ?? ""), "method")) === "initialize";
}
