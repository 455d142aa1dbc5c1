import { SESSION_HEADER } from "./local-http.js";
import type { IncomingHttpHeaders } from "node:http";
import { remember } from "../checks/conversation.js";
import { roleOf } from "../checks/roles.js";
import { parsed, member } from "../tape/json-value.js";

/** Assigns the requests to an HTTP server to numbered conversations, one for each session. */
export interface Conversations {
  /** Returns the number of the conversation that a request belongs to. The request's body may open a conversation. */
  ofRequest(headers: IncomingHttpHeaders, exchange: number, body: string | undefined): number;
  ofResponse(headers: IncomingHttpHeaders, exchange: number): number;
}

export function conversations(): Conversations {
  const sessions = new Map<string, number>();
  const exchanges = new Map<number, number>();
  let last = 0;
  let current = 1;
  return {
    ofRequest({ [SESSION_HEADER]: session }, exchange, body) {
      const known = typeof session === "string" ? sessions.get(session) : undefined;
      if (known === undefined && opens(body)) current = ++last;
      last = Math.max(last, 1);
      const number = known ?? current;
      if (known !== undefined) remember(sessions, session as string, number);
      remember(exchanges, exchange, number);
      return number;
    },
    ofResponse({ [SESSION_HEADER]: session }, exchange) {
      const number = exchanges.get(exchange) ?? current;
      exchanges.delete(exchange);
      if (typeof session === "string") remember(sessions, session, number);
      return number;
    },
  };
}

function opens(body: string | undefined): boolean {
  return roleOf(member(parsed(body ?? ""), "method")) === "initialize";
}
