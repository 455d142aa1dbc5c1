import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { PassThrough } from "node:stream";
import { META } from "@mcp-codegen/runtime";
import { revisions } from "@mcp-codegen/universal/revisions";
import { bodyOf, isForeign, listenLocally, type LocalListener } from "./local-http.js";
import { lineCopy } from "./line-copy.js";

/** Standard streams of a process that serves one session. */
export interface Streams {
  readonly input: PassThrough;
  readonly output: PassThrough;
}

type Members = Readonly<Record<string, unknown>>;

/** Session over HTTP, and the process behind it. */
interface Session {
  readonly id: string | undefined;
  readonly streams: Streams;
  /** Requests in flight, by their ids. */
  readonly waiting: Map<string, Waiting>;
  /** Stream for messages of the server that belong to no request. */
  listener: ServerResponse | undefined;
  /** Messages that have not been sent on a stream yet. */
  readonly early: string[];
}

interface Waiting {
  readonly response: ServerResponse;
  readonly token: unknown;
}

/** Path at which clients reach the front. */
const PATH = "/mcp";
const SESSION = "mcp-session-id";
const EVENT_STREAM = { "content-type": "text/event-stream", "cache-control": "no-cache" };
/** Maximum number of messages that wait for a stream. */
const MOST_EARLY = 1000;

/**
 * Serves Streamable HTTP on 127.0.0.1 in front of processes that speak over standard input and output. Messages are
 * passed unchanged. Each session has its own process; all requests without a session share one.
 *
 * @param open - starts a process on two streams, and calls `onEnd` when it has ended
 */
export function listenInFront(
  port: number,
  open: (streams: Streams, onEnd: () => void) => void,
): Promise<LocalListener & { readonly path: string }> {
  const sessions = new Map<string | undefined, Session>();
  const start = (id: string | undefined): Session => {
    const session: Session = {
      id,
      streams: { input: new PassThrough(), output: new PassThrough() },
      waiting: new Map(),
      listener: undefined,
      early: [],
    };
    sessions.set(id, session);
    const lines = lineCopy((line) => deliver(session, line));
    session.streams.output.on("data", (chunk: Uint8Array) => lines.add(chunk));
    open(session.streams, () => {
      sessions.delete(id);
      session.listener?.end();
      for (const { response } of session.waiting.values()) refuse(response, 502);
    });
    return session;
  };
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (isForeign(request)) return refuse(response, 403);
    const { [SESSION]: id } = request.headers;
    const session = typeof id === "string" ? sessions.get(id) : undefined;
    if (id !== undefined && session === undefined) return refuse(response, 404);
    if (request.method === "POST") return post(request, response, session);
    if (session === undefined) return refuse(response, 405);
    if (request.method === "GET") return listen(session, response);
    if (request.method !== "DELETE") return refuse(response, 405);
    session.streams.input.end();
    response.writeHead(200).end();
  };
  const post = async (
    request: IncomingMessage,
    response: ServerResponse,
    known: Session | undefined,
  ): Promise<void> => {
    const text = await bodyOf(request);
    if (text === undefined) return refuse(response, 413);
    const requests = requestsIn(text);
    if (requests === undefined) return refuse(response, 400, "The body is not JSON");
    const opens = requests.some(({ method }) => OPENING.has(String(method)));
    const session = opens
      ? start(randomUUID())
      : (known ?? sessions.get(undefined) ?? start(undefined));
    for (const { id } of requests) {
      const key = JSON.stringify(id);
      // Clients without sessions share a process.
      if (session.waiting.has(key)) return refuse(response, 400, `The id ${key} is in flight`);
    }
    for (const { id, params } of requests) {
      const token = member(member(params, "_meta"), "progressToken");
      session.waiting.set(JSON.stringify(id), { response, token });
    }
    if (requests.length === 0) response.writeHead(202).end();
    else {
      response.writeHead(200, { ...EVENT_STREAM, ...(opens && { [SESSION]: session.id }) });
      response.flushHeaders();
      response.on("close", () => leave(session, requests));
    }
    session.streams.input.write(`${text.replace(/[\r\n]+/g, " ")}\n`);
  };
  return listenLocally(port, handle).then((listener) => ({
    ...listener,
    path: PATH,
    async close() {
      for (const { streams } of sessions.values()) streams.input.end();
      await listener.close();
    },
  }));
}

/** Cancels the requests of a client that has disconnected. Over standard input, this takes a message. */
function leave({ id: session, waiting, streams }: Session, requests: readonly Members[]): void {
  for (const { id } of requests) {
    if (!waiting.delete(JSON.stringify(id)) || session !== undefined) continue;
    const message = { jsonrpc: "2.0", method: CANCELLED, params: { requestId: id } };
    if (streams.input.writable) streams.input.write(`${JSON.stringify(message)}\n`);
  }
}

function listen(session: Session, response: ServerResponse): void {
  session.listener?.end();
  session.listener = response;
  response.writeHead(200, EVENT_STREAM);
  response.flushHeaders();
  response.on("close", () => {
    if (session.listener === response) session.listener = undefined;
  });
  for (const text of session.early.splice(0)) response.write(eventOf(text));
}

/** Passes a line of the process on to the request that it belongs to, or to the stream of the session. */
function deliver(session: Session, line: string): void {
  const { waiting, listener, early } = session;
  const messages = membersIn(line);
  if (messages === undefined) return;
  const responses = messages.filter(({ method }) => method === undefined);
  const keys = responses.map(({ id }) => JSON.stringify(id));
  const owner = keys.map((key) => waiting.get(key)?.response).find((one) => one !== undefined);
  for (const key of keys) waiting.delete(key);
  const stream = owner ?? streamOf(session, messages[0] ?? {}) ?? listener;
  if (stream === undefined) {
    if (early.length < MOST_EARLY) early.push(line);
    return;
  }
  stream.write(eventOf(line));
  if (owner && ![...waiting.values()].some(({ response }) => response === owner)) owner.end();
}

/**
 * Stream of the request in flight that a message of the server is about; for a request of the server, that of the last
 * request in flight.
 */
function streamOf(
  { waiting, listener }: Session,
  { id, params }: Members,
): ServerResponse | undefined {
  const subscription = member(member(params, "_meta"), META.subscription);
  const token = member(params, "progressToken");
  const all = [...waiting.values()];
  const own =
    token === undefined
      ? waiting.get(JSON.stringify(subscription) ?? "")
      : all.find((one) => one.token === token);
  const isLoose = id === undefined && token === undefined && listener !== undefined;
  return (own ?? (isLoose ? undefined : all.at(-1)))?.response;
}

const roles = revisions.flatMap(({ methods }) => [...methods.values()]);
const OPENING = new Set(
  roles.flatMap(({ role, method }) => (role === "initialize" ? [method] : [])),
);
const CANCELLED = roles.find(({ role }) => role === "cancelled")!.method;

function eventOf(text: string): string {
  return `event: message\ndata: ${text}\n\n`;
}

/** Requests in a body; undefined if it is not JSON. */
function requestsIn(text: string): readonly Members[] | undefined {
  return membersIn(text)?.filter(({ id, method }) => method !== undefined && id !== undefined);
}

function membersIn(text: string): readonly Members[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const all = Array.isArray(value) ? (value as unknown[]) : [value];
    return all.filter((one): one is Members => typeof one === "object" && one !== null);
  } catch {
    return undefined;
  }
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Members)[name] : undefined;
}

function refuse(response: ServerResponse, status: number, why?: string): void {
  if (response.headersSent) return void response.end();
  response.writeHead(status, why === undefined ? {} : { "content-type": "text/plain" });
  response.end(why && `${why}.\n`);
}
