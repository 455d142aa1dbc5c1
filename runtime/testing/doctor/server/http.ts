import { CLIENT_INFO, headersOf, isMembers, type Members, metaOf } from "../conversation.js";
import { exchange, type ExchangeOptions, textOf } from "../link/exchange.js";
import { ACCEPT, mediaType, type UrlTarget } from "../link/http-link.js";
import type { Place, Visit } from "../visit.js";
import { isStateless, methodOf } from "./methods.js";

/** Origin, and host, of a page that no server knows. */
const STRANGER = "stranger.example";

/** Version that no revision has. */
const NO_VERSION = "1999-12-31";

const NO_SESSION = "mcp-codegen-doctor-no-session";

interface Response {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

type Headers = Readonly<Record<string, string>>;

/** Requests of one server that no polite client sends, outside of any conversation. */
interface Door {
  readonly visit: Visit;
  /** True for a server on this machine. */
  readonly isLocal: boolean;
  send(options: ExchangeOptions): Promise<Response | undefined>;
  /** Sends a message as POST; headers replace those of the revision, and an empty one removes its field. */
  post(message: Members | string, headers?: Headers): Promise<Response | undefined>;
  /** Notes a check of a status. */
  expect(
    id: string,
    holds: boolean | undefined,
    expected: string,
    response: Response | undefined,
  ): boolean;
}

/** Examines the rules of HTTP at one revision. */
export async function examineHttp(visit: Visit, target: UrlTarget): Promise<void> {
  const door = openDoor(visit, target);
  const opening = openingOf(visit);
  if (door.isLocal) await strangers(door, opening);
  await bodies(door, opening);
  if (isStateless(visit.revision)) await statelessHeaders(door, opening);
  else await sessions(door, opening);
}

function openDoor(visit: Visit, target: UrlTarget): Door {
  const { revision } = visit;
  const send = async (options: ExchangeOptions): Promise<Response | undefined> => {
    const headers = { ...target.headers, ...options.headers };
    const kept = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ""));
    try {
      const response = await exchange(target.url, { ...options, headers: kept });
      const isStream = mediaType(response.headers["content-type"]) === "text/event-stream";
      const isOpen = options.method === "GET" && isStream;
      if (isOpen) response.cancel();
      const text = isOpen ? "" : await textOf(response);
      return { status: response.status, headers: response.headers, text };
    } catch {
      // A connection that the server closes is a refusal, too.
      return undefined;
    }
  };
  const { hostname } = target.url;
  return {
    visit,
    isLocal: hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127."),
    send,
    post(message, headers) {
      const isText = typeof message === "string";
      const body = isText ? message : JSON.stringify(message);
      const own = isText ? {} : headersOf(revision, message);
      const all = { "content-type": "application/json", accept: ACCEPT, ...own, ...headers };
      return send({ method: "POST", headers: all, body });
    },
    expect(id, holds, expected, response) {
      const place: Place = {
        pointer: "/http/status",
        expected,
        received: response ? `HTTP status ${response.status}` : "a closed connection",
      };
      return visit.expect(id, holds ?? true, place);
    },
  };
}

/** The request that opens a conversation, and any client may send. */
function openingOf({ revision }: Visit): Members {
  const params = isStateless(revision)
    ? { _meta: metaOf(revision, {}) }
    : { protocolVersion: revision.id, capabilities: {}, clientInfo: CLIENT_INFO };
  const method = methodOf(revision, isStateless(revision) ? "discover" : "initialize");
  return { jsonrpc: "2.0", id: "doctor-http", method, params };
}

const isRefused = (response: Response | undefined): boolean =>
  response === undefined || response.status >= 400;

/** Sends what a page on another origin could send, by way of a browser on the same machine. */
async function strangers({ visit, post, send, expect }: Door, opening: Members): Promise<void> {
  const origin = `https://${STRANGER}`;
  const foreign = await post(opening, { origin });
  expect("http-origin", isRefused(foreign), `403, as the Origin is ${origin}`, foreign);
  const host = await post(opening, { host: STRANGER });
  expect("http-host", isRefused(host), `403, as the Host is ${STRANGER}`, host);
  const preflight = await send({
    method: "OPTIONS",
    headers: {
      origin,
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization",
    },
  });
  const allowed = preflight?.headers["access-control-allow-origin"];
  const withCredentials = preflight?.headers["access-control-allow-credentials"] === "true";
  visit.expect("http-cors", !(withCredentials && (allowed === origin || allowed === "*")), {
    pointer: "/http/headers/access-control-allow-origin",
    expected: `no permission with credentials for ${origin}`,
    received: allowed,
  });
}

async function bodies({ post, expect }: Door, opening: Members): Promise<void> {
  const broken = await post('{"jsonrpc": "2.0", "id": 1,');
  expect(
    "http-body-invalid",
    broken !== undefined && broken.status >= 400 && broken.status < 500,
    "400, as the body is not JSON",
    broken,
  );
  const text = await post(opening, { "content-type": "text/plain" });
  expect("http-media-type", isRefused(text), "415, as the body is text/plain", text);
  const image = await post(opening, { accept: "image/png" });
  expect("http-accept-refused", isRefused(image), "406, as only image/png is accepted", image);
}

/** Headers that must repeat the body. */
async function statelessHeaders({ post, expect, visit }: Door, opening: Members): Promise<void> {
  if (!visit.revision.conventions.methodHeaders) return;
  const code = visit.revision.errorCodes["HEADER_MISMATCH"];
  const cases: readonly (readonly [Headers, string])[] = [
    [{ "mcp-method": "tools/list" }, "as Mcp-Method is not that of the body"],
    [{ "mcp-method": "" }, "as there is no Mcp-Method"],
    [{ "mcp-protocol-version": NO_VERSION }, "as MCP-Protocol-Version is not that of the body"],
  ];
  for (const [headers, why] of cases) {
    const response = await post(opening, headers);
    const holds = response?.status === 400 && codeIn(response.text) === code;
    expect("http-mismatch", holds, `400 with the error ${code}, ${why}`, response);
  }
}

function codeIn(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    const error = isMembers(value) ? value["error"] : undefined;
    return isMembers(error) ? error["code"] : undefined;
  } catch {
    return undefined;
  }
}

async function sessions({ visit, post, send, expect }: Door, opening: Members): Promise<void> {
  const { revision } = visit;
  const opened = await post(opening);
  const session = opened?.headers["mcp-session-id"];
  const version = { "mcp-protocol-version": revision.id };
  const own: Headers = session === undefined ? version : { ...version, "mcp-session-id": session };
  if (session !== undefined) {
    visit.expect("http-session-id", /^[\x21-\x7e]+$/.test(session), {
      pointer: "/http/headers/mcp-session-id",
      received: session,
    });
  }
  await post({ jsonrpc: "2.0", method: methodOf(revision, "initialized") }, own);
  const ping = { jsonrpc: "2.0", id: "doctor-ping", method: methodOf(revision, "ping") };
  const stream = await send({ method: "GET", headers: { ...own, accept: "text/event-stream" } });
  const isStream =
    stream?.status === 200 && mediaType(stream.headers["content-type"]) === "text/event-stream";
  expect("http-get", isStream || stream?.status === 405, "an event stream, or 405", stream);
  const unknown = await post(ping, { ...own, "mcp-protocol-version": NO_VERSION });
  expect(
    "http-version-refused",
    unknown?.status === 400,
    `400, as there is no version ${NO_VERSION}`,
    unknown,
  );
  if (session === undefined) return;
  const foreign = await post(ping, { ...own, "mcp-session-id": NO_SESSION });
  expect(
    "http-session-unknown",
    foreign?.status === 404,
    "404, as there is no such session",
    foreign,
  );
  const without = await post(ping, { ...own, "mcp-session-id": "" });
  expect("http-session-missing", isRefused(without), "400, as the session is not named", without);
  const bye = await send({ method: "DELETE", headers: own });
  const isOver = bye !== undefined && bye.status >= 200 && bye.status < 300;
  expect("http-delete", isOver || bye?.status === 405, "200, 202, 204 or 405", bye);
  if (!isOver) return;
  const after = await post(ping, own);
  expect("http-session-ended", after?.status === 404, "404, as the session was deleted", after);
}
