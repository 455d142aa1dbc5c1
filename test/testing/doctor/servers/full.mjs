// A server of every method at five revisions, over stdio, HTTP or HTTP+SSE, written by hand, with the fault that its second argument names.
// Usage: full.mjs stdio|http|sse <fault>. Over HTTP, it prints its URL.
import { serveHttp } from "./full-http.mjs";
import { serveSse } from "./full-sse.mjs";
import { serveStdio } from "./full-stdio.mjs";
import { handlersOf, invalid, notFound } from "./full-handlers.mjs";
import { faults } from "./full-faults.mjs";
import { moreFaults } from "./more-faults.mjs";
import { baseFaults } from "./base-faults.mjs";
import { featureFaults } from "./feature-faults.mjs";
import { neighbourFaults } from "./neighbour-faults.mjs";
import { roundFaults } from "./round-faults.mjs";
import { taskFaults } from "./task-faults.mjs";
import { unusualFaults } from "./unusual-faults.mjs";
import { walkFaults } from "./walk-faults.mjs";

const [, , transport = "stdio", name = "none"] = process.argv;
const fault = {
  ...faults,
  ...moreFaults,
  ...baseFaults,
  ...featureFaults,
  ...neighbourFaults,
  ...roundFaults,
  ...taskFaults,
  ...unusualFaults,
  ...walkFaults,
}[name];
if (fault === undefined) throw new Error(`There is no fault ${name}`);

const SESSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
const STATELESS = "2026-07-28";
const KEY = "io.modelcontextprotocol/";
const CACHEABLE = /^(?:server\/discover|.*\/list|resources\/read)$/;

let remembered;
/** Capabilities of the client; those of the first request, if the fault remembers them. */
const clientOf = (own) => (fault.remembers ? (remembered ??= own) : own);

let latest;
/** Capabilities that a session's client has declared; those of the latest client, if the fault mixes sessions. */
const clientIn = (session) => (fault.lastClient ? latest : session.client);

/** Creates the state of one conversation. */
export function createSession() {
  return {
    version: undefined,
    client: {},
    level: undefined,
    pending: new Map(),
    next: 1,
    isOpen: false,
  };
}

/**
 * Handles one message, and resolves to the response; undefined for what has none.
 *
 * @param send - sends a message that belongs to the request
 */
async function handle(message, session, send) {
  const { id, method, params = {} } = message;
  const meta = params["_meta"] ?? {};
  const named = meta[`${KEY}protocolVersion`];
  const isStateless = named !== undefined || session.isStateless === true;
  if (method === undefined) {
    const isExpected = session.pending.has(String(id));
    session.pending.get(String(id))?.(message);
    if (!isExpected) fault.responded?.(message);
    session.pending.delete(String(id));
    return undefined;
  }
  if (id === undefined) {
    session.cancelled ??= new Set();
    if (method === "notifications/initialized") session.isOpen = true;
    if (method === "notifications/cancelled") {
      session.cancelled.add(params.requestId);
      if (params.requestId === session.listening) session.listening = undefined;
    }
    await fault.notified?.(message, { session, send });
    return undefined;
  }
  if (method === "initialize" && fault.lastClient) latest = params.capabilities;
  const version = isStateless ? STATELESS : (session.version ?? SESSIONS[0]);
  const context = {
    session,
    send,
    id,
    method,
    version,
    isStateless,
    fault,
    params,
    client: clientOf(isStateless ? (meta[`${KEY}clientCapabilities`] ?? {}) : clientIn(session)),
    token: meta.progressToken,
    level: isStateless ? meta[`${KEY}logLevel`] : session.level,
    ask: (requests, given) =>
      new Promise((resolve) => {
        const key = `server-${session.next++}`;
        session.pending.set(key, resolve);
        send({ jsonrpc: "2.0", id: key, method: requests, params: given });
      }),
  };
  let response;
  try {
    if (isStateless) checkEnvelope(params, meta, named);
    const own = { ...handlersOf(context), ...fault.handlers?.(context) };
    const serves = Object.hasOwn(own, method) ? own[method] : undefined;
    if (serves === undefined) throw notFound();
    let result = await serves(params, context);
    if (isStateless && result !== undefined) result = envelope(method, result);
    if (result === undefined) return undefined;
    const change = fault.results?.[method];
    response = { jsonrpc: "2.0", id, result: change ? change(result, params, context) : result };
  } catch (error) {
    if (error instanceof Error) throw error;
    response = { jsonrpc: "2.0", id, error };
  }
  if (session.cancelled?.has(id) && !fault.answersCancelled) return undefined;
  response = fault.respond ? fault.respond(response, message, context) : response;
  if (response !== undefined && fault.before) await fault.before(message, context);
  return response;
}

function checkEnvelope(params, meta, named) {
  if (fault.serves?.includes("no-meta") !== true) {
    if (typeof named !== "string" || typeof meta[`${KEY}clientCapabilities`] !== "object") {
      throw invalid("_meta lacks what each request needs");
    }
  }
  const isKnown = named === STATELESS || fault.serves?.includes("any-version");
  if (!isKnown) {
    throw {
      code: -32022,
      message: "Unsupported",
      data: { supported: [STATELESS], requested: named },
    };
  }
  const level = meta[`${KEY}logLevel`];
  const levels = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];
  if (level !== undefined && !levels.includes(level) && !fault.serves?.includes("any-level"))
    throw invalid("Unknown level");
}

function envelope(method, result) {
  return {
    resultType: "complete",
    ...(CACHEABLE.test(method) &&
      result.resultType !== "input_required" && { ttlMs: 0, cacheScope: "private" }),
    ...result,
    _meta: { [`${KEY}serverInfo`]: { name: "full", version: "1.0.0" }, ...result["_meta"] },
  };
}

const serve = { http: serveHttp, sse: serveSse, stdio: serveStdio }[transport];
await serve({ fault, handle, createSession, SESSIONS, STATELESS, KEY });
