import type { CheckId } from "../../checks/index.js";
import { DOCTOR_INFO, headersOf, metaOf } from "../outgoing.js";
import { type Exchange, exchange, type ExchangeOptions, textOf } from "../link/exchange.js";
import { ACCEPT, isEventStream, type UrlTarget } from "../link/http-link.js";
import type { Place, Visit } from "../visit.js";
import { type Members, parsed, member } from "../../tape/json-value.js";
import { methodOf } from "../../checks/roles.js";
import { isStateless } from "../../checks/check.js";
import { isLoopback } from "../../checks/loopback.js";

/** A host name that no server has, used in a foreign `Host` or `Origin`. */
export const STRANGER = "stranger.example";

/**
 * Foreign origins. One has a host name that begins with `localhost`, because some servers compare only the beginning.
 * Any page can have the origin `null`, in a sandboxed frame.
 */
export const FOREIGN: readonly string[] = [
  `https://${STRANGER}`,
  `http://localhost.${STRANGER}`,
  "null",
];

export interface Response {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export type Headers = Readonly<Record<string, string>>;

/** Sends HTTP requests outside any conversation, such as those that no correct client sends. */
export interface Door {
  readonly visit: Visit;
  readonly isLocal: boolean;
  /**
   * Sends a request. Reads a GET's event stream only if `reads` is true, and only for a limited time. Returns undefined
   * if there is no response.
   */
  send(options: ExchangeOptions, reads?: boolean): Promise<Response | undefined>;
  /** Sends a request and does not read the response. Returns undefined if there is none. */
  open(options: ExchangeOptions): Promise<Exchange | undefined>;
  /** Sends a message as a POST. The given headers replace those of the revision; an empty value removes a field. */
  post(message: Members | string, headers?: Headers): Promise<Response | undefined>;
  expect(
    id: CheckId,
    holds: boolean | undefined,
    expected: string,
    response: Response | undefined,
    place?: Place,
  ): boolean;
}

export function openDoor(visit: Visit, target: UrlTarget): Door {
  const open: Door["open"] = (options) => {
    const headers = { ...target.headers, ...options.headers };
    const kept = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ""));
    // A server may also reject a request by closing the connection.
    return exchange(target.url, { ...options, headers: kept }).catch(() => undefined);
  };
  const send: Door["send"] = async (options, reads = false) => {
    const response = await open(options);
    if (response === undefined) return undefined;
    try {
      const isStream = isEventStream(response.headers);
      const isOpen = options.method === "GET" && isStream && !reads;
      if (isOpen) response.cancel();
      const text = isOpen ? "" : await textOf(response);
      return { status: response.status, headers: response.headers, text };
    } catch {
      return undefined;
    }
  };
  const { hostname } = target.url;
  return {
    visit,
    isLocal: isLoopback(hostname),
    send,
    open,
    post: (message, headers) => send(postOf(visit, message, headers)),
    expect(id, holds, expected, response, at) {
      const place: Place = at ?? {
        pointer: "/http/status",
        expected,
        received: response ? `HTTP status ${response.status}` : "a closed connection",
      };
      return visit.expect(id, holds ?? true, place);
    },
  };
}

/** Creates a POST. The given headers replace those of the revision. */
export function postOf(
  { revision }: Visit,
  message: Members | string,
  headers?: Headers,
): ExchangeOptions {
  const isText = typeof message === "string";
  const body = isText ? message : JSON.stringify(message);
  const own = isText ? {} : headersOf(revision, message);
  const all = { "content-type": "application/json", accept: ACCEPT, ...own, ...headers };
  return { method: "POST", headers: all, body };
}

export function openingOf({ revision }: Visit): Members {
  const params = isStateless(revision)
    ? { _meta: metaOf(revision, {}) }
    : { protocolVersion: revision.id, capabilities: {}, clientInfo: DOCTOR_INFO };
  const method = methodOf(revision, isStateless(revision) ? "discover" : "initialize");
  return { jsonrpc: "2.0", id: "doctor-http", method, params };
}

export const isRefused = (response: Response | undefined): boolean =>
  response === undefined || response.status >= 400;

/** Checks that a request with a foreign `Origin` was refused. Older revisions do not specify the HTTP status. */
export function expectForeign(
  { visit, expect }: Door,
  response: Response | undefined,
  request: string,
  origin: string,
): boolean {
  const { polling, methodHeaders } = visit.revision.conventions;
  const isExact = polling || methodHeaders;
  const isForbidden = isExact ? response?.status === 403 : isRefused(response);
  return expect(
    "http-origin",
    isForbidden,
    `403 for ${request} with the Origin ${origin}`,
    response,
  );
}

/** Sends a batch in a revision without batches. The response must not be an array. */
export async function expectNoBatch(
  { visit, post }: Door,
  request: Members,
  headers?: Headers,
): Promise<void> {
  if (visit.revision.traits.batching) return;
  const batch = [1, 2].map((number) => ({ ...request, id: `doctor-batch-${number}` }));
  const response = await post(JSON.stringify(batch), headers);
  const received: unknown = parsed(response?.text ?? "");
  const expected = "no array, as this revision has no batches";
  visit.expect("message-batch", !Array.isArray(received), { expected, received });
}

export function codeIn(text: string): unknown {
  return member(member(parsed(text), "error"), "code");
}

export function resultIn(text: string): unknown {
  return member(parsed(text), "result");
}
