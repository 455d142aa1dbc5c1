import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import {
  bodyOf,
  EVENT_STREAM,
  eventWith,
  isForeign,
  listenLocally,
  refuse,
  SESSION_HEADER,
} from "../record/local-http.js";
import { notify, type Replay, type ReplayConnection, type ReplayRequest } from "./replay.js";
import type { TapeScript } from "./tape-script.js";
import { parsed, isMembers } from "../tape/json-value.js";

export interface ReplayListener {
  readonly url: string;
  close(): Promise<void>;
}

export async function listenReplay(
  script: TapeScript,
  replay: Replay,
  port: number,
): Promise<ReplayListener> {
  const sessions = new Map<string, ReplayConnection>();
  const shared = replay.connect();
  const { origin, close } = await listenLocally(port, (request, response) =>
    handle({ script, replay, sessions, shared }, request, response),
  );
  return { url: `${origin}/mcp`, close };
}

interface Door {
  readonly script: TapeScript;
  readonly replay: Replay;
  readonly sessions: Map<string, ReplayConnection>;
  readonly shared: ReplayConnection;
}

async function handle(
  door: Door,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (isForeign(request)) return refuse(response, 403);
  const id = request.headers[SESSION_HEADER];
  if (request.method === "DELETE" && typeof id === "string") {
    return refuse(response, door.sessions.delete(id) ? 200 : 404);
  }
  if (request.method !== "POST") return refuse(response, 405);
  const known = typeof id === "string" ? door.sessions.get(id) : door.shared;
  if (known === undefined) return refuse(response, 404);
  const message = parsed((await bodyOf(request)) ?? "");
  if (!isMembers(message)) return refuse(response, 400);
  const { method } = message;
  if (method === undefined) {
    known.answer(message);
    return refuse(response, 202);
  }
  if (message.id === undefined) {
    notify(known, message);
    return refuse(response, 202);
  }
  await respond(door, known, message as unknown as ReplayRequest, response);
}

async function respond(
  { script, replay, sessions }: Door,
  known: ReplayConnection,
  request: ReplayRequest,
  response: ServerResponse,
): Promise<void> {
  let connection = known;
  const headers: Record<string, string> = {};
  const opens = script.revision.methods.get(request.method)?.role === "initialize";
  if (opens && script.hasSessions) {
    connection = replay.connect();
    const id = randomUUID();
    sessions.set(id, connection);
    headers[SESSION_HEADER] = id;
  }
  const match = connection.find(request);
  const { items = [], row, reply } = "exchange" in match ? match.exchange : {};
  response.on("close", () => {
    if (!response.writableFinished) connection.cancel(request.id);
  });
  if (items.length === 0 && row?.role !== "listen") {
    await connection.play(request, match, (text, isLast) => {
      if (!isLast) return;
      response.writeHead(reply?.status ?? 200, { ...headers, "content-type": "application/json" });
      response.end(text);
    });
    return;
  }
  response.writeHead(200, { ...headers, ...EVENT_STREAM });
  response.flushHeaders();
  await connection.play(request, match, (text, isLast) => {
    if (response.writableEnded) return;
    response.write(eventWith(text));
    if (isLast) response.end();
  });
}
