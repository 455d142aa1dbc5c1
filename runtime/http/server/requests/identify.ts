import { isThenable, within } from "../../../ground/index.js";
import { type Auth, isObject } from "../../../wire/index.js";
import type { HttpOptions } from "../option-types.js";
import {
  type Authenticate,
  type Authenticator,
  forbidWithoutScopes,
  type Identity,
  type Refusal,
} from "./authentication.js";
import type { Exchange } from "./exchange.js";
import { type Problem, PROBLEMS } from "./problem.js";

const LATE = Symbol("late");

type Refuse = (exchange: Exchange, refused: Problem) => false;

/**
 * Creates the function that identifies the senders of requests, first with the mount's hook and then with the handler's
 * own.
 *
 * @returns a function that stores the sender's identity, or that sends the refusal and returns false
 */
export function identifier(
  options: Pick<HttpOptions, "authenticate"> & { readonly authenticateTimeout: number },
  refuse: Refuse,
  report: (error: Error) => void,
): (exchange: Exchange) => boolean | Promise<boolean> {
  const timeout = options.authenticateTimeout;
  const authenticator = authenticatorOf(options.authenticate);

  /** Applies the result of a hook: only a principal or `"anonymous"` admits a request. */
  const settle = (exchange: Exchange, given: unknown): boolean | Promise<boolean> => {
    if (isThenable(given)) return wait(exchange, given);
    if (given === "anonymous") return true;
    const { principal, status } = (given || {}) as Partial<Auth & Refusal>;
    if (Number.isInteger(status)) {
      const { headers, body } = given as Refusal;
      exchange.refusals?.count(status!);
      exchange.respond(status!, headers, body);
      return false;
    }
    if (!given || principal === "") return refuse(exchange, PROBLEMS.unauthorized);
    if (typeof principal !== "string")
      throw new TypeError('authenticate must return { principal } or { status }, or "anonymous"');
    exchange.auth = given as Auth;
    return true;
  };

  /** Waits for a hook. After the timeout, the request is refused, and the hook's later result is ignored. */
  const wait = async (exchange: Exchange, given: PromiseLike<unknown>): Promise<boolean> => {
    const known = await within(timeout, given, LATE);
    if (known !== LATE) return settle(exchange, known);
    report(new Error(`authenticate did not return within ${timeout} ms (authenticateTimeout)`));
    return refuse(exchange, PROBLEMS.slowAuthentication);
  };

  return (exchange) => {
    const { identify } = exchange.head;
    const isKnown = identify ? settle(exchange, identify()) : true;
    if (authenticator === undefined || isKnown === false) return isKnown;
    exchange.authenticator = authenticator;
    const next = (): boolean | Promise<boolean> => {
      const { method, path, query } = exchange.head;
      // The hook receives a copy, so it cannot answer the request, and `header` needs no `this`.
      const head = { method, path, query, header: (name: string) => exchange.header(name) };
      return settle(exchange, authenticator.authenticate(head));
    };
    return isKnown === true ? next() : isKnown.then((known) => known && next());
  };
}

/**
 * Returns the authenticator for an option that may be just a function. In that case, the 403 repeats the
 * `resource_metadata` of the function's 401 (RFC 9728, section 5.1), so that clients know where to obtain more scopes.
 * It does not do so if the function's responses name several.
 */
function authenticatorOf(
  given: Authenticate | Authenticator | undefined,
): Authenticator | undefined {
  if (typeof given !== "function") return given;
  const seen = new Set<string>();
  const note = (identity: Identity): Identity => {
    const metadata = metadataIn(identity);
    if (metadata !== undefined && seen.size < 2) seen.add(metadata);
    return identity;
  };
  return {
    authenticate: (request) => {
      const identity = given(request);
      return isThenable(identity) ? Promise.resolve(identity).then(note) : note(identity);
    },
    forbid: (scopes, auth) => {
      const [metadata] = seen.size === 1 ? seen : [];
      return forbidWithoutScopes(scopes, auth, metadata);
    },
    documents: {},
  };
}

function metadataIn(identity: unknown): string | undefined {
  const { headers } = (identity ?? {}) as Partial<Refusal>;
  if (!isObject(headers)) return undefined;
  for (const [name, value] of Object.entries(headers)) {
    if (name.toLowerCase() !== "www-authenticate") continue;
    return /(?:^|[\s,])resource_metadata="([^"\\\s]+)"/i.exec(String(value))?.[1];
  }
  return undefined;
}
