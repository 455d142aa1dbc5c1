import type { Auth } from "../origin.js";
import type { HeaderFields, RequestHead } from "./exchange.js";

/** How a request is turned away that did not prove who sent it, or that its sender may do this. */
export interface Refusal {
  /** 401 or 403, as a rule. */
  readonly status: number;
  readonly headers?: HeaderFields | undefined;
  readonly body?: string | undefined;
}

/**
 * Finds out who sent a request, from its headers. Undefined lets it pass as nobody's in particular. Called for every
 * request: a session is no proof of anything (MCP: security best practices, session hijacking).
 */
export type Authenticate = (
  request: RequestHead,
) => Auth | Refusal | undefined | Promise<Auth | Refusal | undefined>;

export function isAuth(outcome: Auth | Refusal): outcome is Auth {
  return "principal" in outcome && typeof outcome.principal === "string";
}
