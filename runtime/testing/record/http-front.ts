import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { PassThrough } from "node:stream";
import { META } from "@mcp-codegen/runtime";
import {
  bodyOf,
  EVENT_STREAM,
  eventWith,
  isForeign,
  listenLocally,
  type LocalListener,
  refuse,
  SESSION_HEADER,
} from "./local-http.js";
import { lineCopy } from "./line-copy.js";
import { member, type Members, parsed, messagesIn, isMembers } from "../tape/json-value.js";
import { roleOf, methodOf, sessionRevisions } from "../checks/roles.js";

export interface Streams {
  readonly input: PassThrough;
  readonly output: PassThrough;
}

interface Session {
  readonly id: string | undefined;
  readonly streams: Streams;
  readonly waiting: Map<string, Waiting>;
  /** The stream for messages from the server that do not belong to a request. */
  listener: ServerResponse | undefined;
  /** The messages that are waiting for the client to open a stream. */
  readonly early: string[];
}

interface Waiting {
  readonly response: ServerResponse;
  readonly token: unknown;
}

const PATH = "/mcp";
/** The maximum number of messages per session that wait for a stream. */
const MOST_EARLY = 1000;

/**
 * Serves Streamable HTTP on 127.0.0.1, and forwards messages unchanged to processes that communicate over standard
 * input and output. Each session has its own process, and all requests without a session share one.
 *
 * @param open - starts a process that uses the two streams, and calls `onEnd` when the process has ended
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
    const { [SESSION_HEADER]: id } = request.headers;
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
    const opens = requests.some(({ method }) => roleOf(method) === "initialize");
    const session = opens
      ? start(randomUUID())
      : (known ?? sessions.get(undefined) ?? start(undefined));
    for (const { id } of requests) {
      const key = JSON.stringify(id);
      // Clients without sessions share a process, so their ids may collide.
      if (session.waiting.has(key)) return refuse(response, 400, `The id ${key} is in flight`);
    }
    for (const { id, params } of requests) {
      const token = member(member(params, "_meta"), "progressToken");
      session.waiting.set(JSON.stringify(id), { response, token });
    }
    if (requests.length === 0) response.writeHead(202).end();
    else {
      response.writeHead(200, { ...EVENT_STREAM, ...(opens && { [SESSION_HEADER]: session.id }) });
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

/** Cancels the stateless requests of a client that has disconnected. Requests in a session continue. */
function leave({ id: session, waiting, streams }: Session, requests: readonly Members[]): void {
  for (const { id } of requests) {
    if (!waiting.delete(JSON.stringify(id)) || session !== undefined) continue;
    const method = methodOf(sessionRevisions[0]!, "cancelled");
    const message = { jsonrpc: "2.0", method, params: { requestId: id } };
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
  for (const text of session.early.splice(0)) response.write(eventWith(text));
}

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
  stream.write(eventWith(line));
  if (owner && ![...waiting.values()].some(({ response }) => response === owner)) owner.end();
}

/**
 * Returns the stream of the request to which a server's message belongs. If that request is unknown, returns the last
 * stream of a request in flight, or undefined for messages that belong on the session's own stream.
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

function requestsIn(text: string): readonly Members[] | undefined {
  return membersIn(text)?.filter(({ id, method }) => method !== undefined && id !== undefined);
}

function membersIn(text: string): readonly Members[] | undefined {
  const value = parsed(text);
  return value === undefined ? undefined : messagesIn(value).filter(isMembers);
}
