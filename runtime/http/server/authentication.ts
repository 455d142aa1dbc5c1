import type { Auth } from "../../wire/index.js";
import type { HeaderFields, RequestHead } from "./exchange.js";
import { JSON_FIELDS, type Problem, problem } from "./problem.js";

/** Response to a request whose sender is unknown, or not allowed to do this. */
export interface Refusal {
  /** 401 or 403, as a rule. */
  readonly status: number;
  readonly headers?: HeaderFields | undefined;
  readonly body?: string | undefined;
}

/** Sender of a request, or the reason to refuse it; `"anonymous"` lets it pass without a sender. */
export type Identity = Auth | Refusal | "anonymous";

/**
 * Finds out who sent a request, from its headers. Called for every request: a session is no proof of anything (MCP:
 * security best practices, session hijacking).
 */
export type Authenticate = (request: RequestHead) => Identity | Promise<Identity>;

/**
 * Identifies the caller from a framework's request object, where its middleware has authenticated the caller. Undefined
 * is answered 401.
 */
export type IdentifyBy<Source> = (
  source: Source,
) => Identity | undefined | Promise<Identity | undefined>;

export type Identify = () => ReturnType<IdentifyBy<never>>;

const NOBODY: Refusal = refusalOf(
  problem(401, "Unauthorized: the request does not prove who sent it", {
    "WWW-Authenticate": "Bearer",
  }),
);

/**
 * Reads what a hook has given, so that nothing but a principal or `"anonymous"` opens the door.
 * @throws TypeError for a value that is neither an identity nor a refusal
 */
export function checkIdentity(given: unknown): Auth | Refusal | undefined {
  if (given === "anonymous") return undefined;
  if (!given) return NOBODY;
  const { principal, status } = given as Partial<Record<string, unknown>>;
  if (Number.isInteger(status)) return given as Refusal;
  if (principal === "") return NOBODY;
  if (typeof principal === "string") return given as Auth;
  throw new TypeError('authenticate must give { principal } or { status }, or "anonymous"');
}

export function isRefusal(outcome: Auth | Refusal): outcome is Refusal {
  return "status" in outcome && Number.isInteger(outcome.status);
}

function refusalOf({ status, code, message, headers }: Problem): Refusal {
  const body = JSON.stringify({ jsonrpc: "2.0", id: null, error: { code, message } });
  return { status, headers: { ...JSON_FIELDS, ...headers }, body };
}
