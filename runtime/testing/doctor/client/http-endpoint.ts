import type { IncomingMessage, ServerResponse } from "node:http";
import {
  bodyOf,
  EVENT_STREAM,
  eventWith,
  refuse,
  SESSION_HEADER,
} from "../../record/local-http.js";
import { type AuthorizationServer, authorize, rejects } from "./authorization-server.js";
import { passOn } from "../link/link.js";
import { statusOf } from "./items.js";
import {
  type Channel,
  type Reply,
  type ScriptServer,
  type ServerOf,
  sessionIdOf,
} from "./script-server.js";
import { isMembers, type Members, parsed, messagesIn } from "../../tape/json-value.js";
import { isStateless } from "../../checks/check.js";

interface SseStream {
  readonly server: ScriptServer;
  readonly reply: Reply;
}

/** The ways in which an HTTP endpoint deviates from a correct one, and what it has observed. */
export interface Endpoint {
  /** The number of requests after which a session no longer exists. With `breakFor`, the stream is resumed before. */
  readonly forgetAfter?: number;
  /** The authorization server that issues the tokens required by the endpoint. */
  readonly authorization?: AuthorizationServer;
  /** True to reject requests without a session. */
  readonly onlySessions?: boolean;
  /**
   * `only` to serve nothing but HTTP+SSE: POST is rejected with 405, and the endpoint is named by its full URL.
   * `elsewhere` to reject POST with 400, and to name an endpoint on another origin.
   */
  readonly sse?: "only" | "elsewhere" | undefined;
  /** The `Retry-After` value, in seconds, of the 503 response to the first list request. */
  readonly busyFor?: number;
  /**
   * The value of `retry`, in milliseconds, on the stream of the first list with further pages. The stream ends before
   * its response. In a stateless conversation, there is no `retry`, and the response is lost.
   */
  readonly breakFor?: number | undefined;
  /**
   * The media type of all responses. Default: an event stream for each page that has a next page, and JSON otherwise.
   */
  readonly responses?: "json" | "events";
  /** True to send event streams that do not begin with a comment. */
  readonly isUncommented?: boolean;
  /** True to assign no session id, to reject GET and DELETE, and to name the HTTP+SSE endpoint by its full URL. */
  readonly isPlain?: boolean;
  /**
   * True to send responses in unusual forms: with a charset, and with multi-line events that end in CR LF. Over stdio,
   * each message arrives in two pieces.
   */
  readonly isOdd?: boolean;
  /** True to send a ping on the first page's stream. */
  readonly pings?: boolean;
  /** True to delay the first response in an open session that has no stream of its own, and to use its event stream. */
  readonly isHeld?: boolean;
  /** True once the server sends messages on a request's event stream. */
  isCarried?: boolean;
  /** The response to the ping that `pings` causes; undefined if none arrives in time. */
  pong?: Promise<Members | undefined>;
  /** The number of HTTP requests so far; undefined if the client has sent none. */
  count?: number;
  /** True once a request has been rejected because its session no longer exists. */
  isLost?: boolean;
  /** The headers of the first `initialize` request after the session was lost. */
  reopened?: Readonly<Record<string, string>>;
  /** The time at which the stream broke off, and the response that was not sent. */
  broken?: { readonly at: number; readonly response: Members };
  /** The time between the stream's interruption and its resumption, in milliseconds. */
  resumedAfter?: number;
  /** True once a stream has been opened without Last-Event-ID after one broke off. */
  isRestarted?: boolean;
  /** The event after which the stream was resumed. */
  resumedFrom?: string;
  /** The servers of the HTTP+SSE streams, by the number in the endpoint's address. */
  streams?: Map<number, SseStream>;
  /** The address of the first message that was sent anywhere other than the endpoint of an open HTTP+SSE stream. */
  astray?: string;
  /** True once a request has had a token in its query string. */
  hasTokenInQuery?: boolean;
  /** True once a message has been sent to another origin. */
  isElsewhere?: boolean;
  /** The time at which a request was rejected with a 503 response. */
  busyAt?: number;
  /** The time between the 503 response and the next list request, in milliseconds. */
  repeatedAfter?: number;
  isDeleted?: boolean;
  /** True once the client has closed a connection before the end of the response. */
  isAborted?: boolean;
  /** True once a GET request has been rejected because it had no session. */
  isPolled?: boolean;
}

const FIRST_EVENT = "doctor-event-1";
/** The last event of the stream that breaks off. */
export const BROKEN_EVENT = "doctor-event-2";
let exchanges = 0;

/** Handles an HTTP request from a client. */
export async function serveRequest(
  request: IncomingMessage,
  response: ServerResponse,
  serverOf: ServerOf,
  endpoint: Endpoint,
): Promise<void> {
  const { method, headers, url = "" } = request;
  const { pathname, searchParams } = new URL(url, "http://localhost");
  if (searchParams.has("access_token")) endpoint.hasTokenInQuery = true;
  endpoint.count ??= 0;
  response.once("close", () => {
    if (!response.writableEnded) endpoint.isAborted = true;
  });
  const { authorization } = endpoint;
  if (pathname !== "/mcp") {
    if (authorization !== undefined) return authorize(authorization, request, response);
    return receiveBySse(request, response, endpoint);
  }
  endpoint.count++;
  const isNew =
    headers[SESSION_HEADER] === undefined && endpoint.count === 1 && authorization === undefined;
  if (method === "GET" && (endpoint.sse || isNew)) {
    return openSse(request, response, serverOf(true), endpoint);
  }
  if (endpoint.sse) return refuse(response, endpoint.sse === "only" ? 405 : REFUSED);
  const text = (await bodyOf(request)) ?? "";
  if (authorization !== undefined && rejects(authorization, request, response, text)) return;
  const known = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, String(value)]),
  );
  const http = { exchange: ++exchanges, method: method!, headers: known };
  const isOpening = text.includes('"initialize"');
  const isOfStream =
    method === "POST" && headers[SESSION_HEADER] === undefined && !headers["mcp-method"];
  const stream =
    isOfStream && !isOpening ? [...(endpoint.streams?.values() ?? [])].at(-1) : undefined;
  if (stream !== undefined) {
    endpoint.astray ??= url;
    return accept(text, response, stream);
  }
  if (endpoint.onlySessions && !isOpening && headers[SESSION_HEADER] === undefined) {
    if (method === "GET") endpoint.isPolled = true;
    return refuse(response, 400);
  }
  if (isRefusedAsBusy(response, text, endpoint)) return;
  const { [SESSION_HEADER]: session } = known;
  if (isOpening && endpoint.isLost) endpoint.reopened ??= known;
  // A client may open several sessions at the same endpoint.
  const isSecond = isOpening && (endpoint.isLost === true || session === undefined);
  const server = serverOf(isSecond, session);
  const isLost =
    endpoint.forgetAfter !== undefined &&
    endpoint.isLost !== true &&
    (endpoint.breakFor === undefined || endpoint.resumedAfter !== undefined) &&
    !isOpening &&
    server.requests.length >= endpoint.forgetAfter;
  if (isLost) {
    endpoint.isLost = true;
    return refuse(response, 404);
  }
  if (method !== "POST") {
    server.event(http);
    return withoutBody(request, response, server, endpoint);
  }
  const value = parsed(text);
  if (value === undefined) {
    server.text(text, { http });
    return refuse(response, 400);
  }
  if (endpoint.isHeld && isRequest(value) && server.isOpen && !server.isListening) {
    endpoint.isCarried = true;
    response.writeHead(200, EVENT_STREAM);
    server.listen((message) => void (response.writable && response.write(eventOf(message))));
    return server.receive(value, text, (reply) => response.end(eventOf(reply)), { http });
  }
  const answers = await answersTo(value, (reply) => server.receive(value, text, reply, { http }));
  const assigned =
    isOpening && !endpoint.isPlain ? { [SESSION_HEADER]: sessionIdOf(server.number) } : {};
  const context = { server, endpoint, session: assigned };
  respond(response, Array.isArray(value) ? [answers] : answers, context);
}

function isRequest(one: unknown): boolean {
  return isMembers(one) && "method" in one && (one["id"] ?? null) !== null;
}

/** Returns a server's responses to a message or batch, one for each request. */
function answersTo(value: unknown, receive: (reply: Reply) => void): Promise<readonly Members[]> {
  const count = messagesIn(value).filter(isRequest).length;
  const answers: Members[] = [];
  return new Promise((resolve) => {
    receive((message) => {
      if (answers.push(message) === count) resolve(answers);
    });
    if (count === 0) resolve(answers);
  });
}

/** Rejects the first list request, and records when a list is requested again. */
function isRefusedAsBusy(response: ServerResponse, text: string, endpoint: Endpoint): boolean {
  const { busyFor, busyAt } = endpoint;
  if (busyFor === undefined || !/"method" *: *"[a-z]+\/list"/.test(text)) return false;
  if (busyAt !== undefined) {
    endpoint.repeatedAfter ??= performance.now() - busyAt;
    return false;
  }
  endpoint.busyAt = performance.now();
  response.writeHead(503, { "retry-after": String(busyFor) }).end();
  return true;
}

/** The status with which an HTTP+SSE server rejects Streamable HTTP, if not with 405. */
export const REFUSED = 400;

/** The address to which messages are sent over HTTP+SSE, without the stream's number. */
const MESSAGES = "/messages?session=";

function openSse(
  { headers: { host = "" } }: IncomingMessage,
  response: ServerResponse,
  server: ScriptServer,
  endpoint: Endpoint,
): void {
  const { number } = server;
  const reply: Channel = (message) => void response.write(eventWith(JSON.stringify(message)));
  (endpoint.streams ??= new Map()).set(number, { server, reply });
  const elsewhere = `http://${host.replace("127.0.0.1", "localhost")}`;
  const own = endpoint.isPlain || endpoint.sse === "only" ? `http://${host}` : "";
  const origin = endpoint.sse === "elsewhere" ? elsewhere : own;
  response.writeHead(200, EVENT_STREAM);
  response.write(`event: endpoint\ndata: ${origin}${MESSAGES}${number}\n\n`);
  server.listen(reply);
}

/** Receives a message over HTTP+SSE. The response is sent on the stream. */
async function receiveBySse(
  request: IncomingMessage,
  response: ServerResponse,
  endpoint: Endpoint,
): Promise<void> {
  if (request.headers.host?.startsWith("localhost")) endpoint.isElsewhere = true;
  const { url = "" } = request;
  const number = url.startsWith(MESSAGES) ? Number(url.slice(MESSAGES.length)) : undefined;
  const stream = number === undefined ? undefined : endpoint.streams?.get(number);
  if (stream === undefined) {
    if (endpoint.streams && request.method === "POST") endpoint.astray ??= url;
    return refuse(response, 404);
  }
  accept((await bodyOf(request)) ?? "", response, stream);
}

function accept(text: string, response: ServerResponse, { server, reply }: SseStream): void {
  response.writeHead(202).end();
  passOn(text, {
    message: (value) => server.receive(value, text, reply),
    text: (words) => server.text(words),
  });
}

/** Handles GET and DELETE. */
function withoutBody(
  { method, headers }: IncomingMessage,
  response: ServerResponse,
  server: ScriptServer,
  endpoint: Endpoint,
): void {
  if (isStateless(server.revision) || endpoint.isPlain) return refuse(response, 405);
  if (method === "DELETE") endpoint.isDeleted = true;
  if (method !== "GET") return refuse(response, method === "DELETE" ? 200 : 405);
  response.writeHead(200, EVENT_STREAM);
  response.flushHeaders();
  const { broken } = endpoint;
  const { "last-event-id": from } = headers;
  if (from === undefined && broken !== undefined) endpoint.isRestarted = true;
  if ((from === BROKEN_EVENT || from === FIRST_EVENT) && broken !== undefined) {
    endpoint.resumedAfter ??= performance.now() - broken.at;
    endpoint.resumedFrom ??= from;
    return void response.end(eventOf(broken.response));
  }
  server.listen((message) => void response.write(eventOf(message)));
}

/** Returns a message as an event without a type, which is equivalent to the type `message`. */
function eventOf(message: unknown): string {
  return `data: ${JSON.stringify(message)}\n\n`;
}

const CHARSET = "; charset=utf-8";

function oddEventOf(message: unknown): string {
  const lines = JSON.stringify(message, null, 1).split("\n");
  return ["event:message", ...lines.map((line) => `data:${line}`), "", ""].join("\r\n");
}

/** The maximum time to wait for the response to a ping on a page's stream, in milliseconds. */
const PONG_WITHIN = 1_500;

/**
 * Responds with an event stream for subscriptions and, by default, for pages that have a next page. All other responses
 * are JSON.
 */
function respond(
  response: ServerResponse,
  [answer]: readonly (Members | readonly Members[])[],
  context: {
    readonly server: ScriptServer;
    readonly endpoint: Endpoint;
    readonly session: Readonly<Record<string, string>>;
  },
): void {
  const { server, endpoint, session } = context;
  if (answer === undefined || (Array.isArray(answer) && answer.length === 0)) {
    return refuse(response, 202);
  }
  const one = isMembers(answer) ? answer : {};
  if (one["method"] !== undefined) {
    response.writeHead(200, EVENT_STREAM);
    response.write(eventOf(answer));
    server.listen((message) => void response.write(eventOf(message)));
    return;
  }
  const isList = isMembers(one["result"]) && one["result"]["nextCursor"] !== undefined;
  if (isList && endpoint.breakFor !== undefined && endpoint.broken === undefined) {
    response.writeHead(200, EVENT_STREAM);
    endpoint.broken = { at: performance.now(), response: one };
    if (isStateless(server.revision)) return void response.end(": the response is lost\n\n");
    const first = `id: ${FIRST_EVENT}\nretry: ${endpoint.breakFor}\ndata: \n\n`;
    return void response.end(`${first}id: ${BROKEN_EVENT}\ndata: \n\n`);
  }
  const status = statusOf(server.revision, one);
  const { responses = isList ? "events" : "json", pings } = endpoint;
  if (responses === "events" && status === 200) {
    const charset = endpoint.isOdd && { "content-type": `text/event-stream${CHARSET}` };
    response.writeHead(200, { ...EVENT_STREAM, ...charset, ...session });
    if (!endpoint.isUncommented)
      response.write(endpoint.isOdd ? ": a comment\r\n\r\n" : ": a comment\n\n");
    if (isList && pings) {
      const on: Channel = (message) => void response.write(eventWith(JSON.stringify(message)));
      endpoint.pong ??= server.ask("ping", undefined, PONG_WITHIN, { on });
    }
    return void response.end(
      endpoint.isOdd ? oddEventOf(answer) : eventWith(JSON.stringify(answer)),
    );
  }
  const type = { "content-type": `application/json${endpoint.isOdd ? CHARSET : ""}` };
  response.writeHead(status, { ...type, ...session }).end(JSON.stringify(answer));
}
