import { META, type RequestId } from "@mcp-codegen/runtime";
import { pointerOf, replaceScalars } from "../tape/json-text.js";
import type { Members } from "../tape/json-value.js";
import {
  hasMask,
  replayDifferences,
  requestKey,
  type ScriptExchange,
  type ScriptItem,
  type TapeScript,
  valuesOf,
} from "./tape-script.js";
import { roleOf } from "../checks/roles.js";

export interface ReplayOptions {
  /** True to repeat the last response if a request is sent more often than it was recorded. Default: false. */
  readonly loose?: boolean | undefined;
  /** True to send all messages immediately, without the recorded pauses. Default: false. */
  readonly fast?: boolean | undefined;
  /**
   * Called if the client's answer to a question differs from the recorded one when the request has already been
   * answered, so that no request can fail. Default: the difference is ignored.
   */
  readonly onDifference?: ((problem: string) => void) | undefined;
}

export interface ReplayRequest {
  readonly id: RequestId;
  readonly method: string;
  readonly params?: Record<string, unknown> | undefined;
}

/** A function that sends a message's text. `isLast` is true for the response. */
export type SendText = (text: string, isLast: boolean) => void;

/**
 * A server that replays a tape. All connections share the recorded exchanges, and each exchange is normally played only
 * once.
 */
export interface Replay {
  connect(): ReplayConnection;
}

export interface ReplayConnection {
  find(request: ReplayRequest): Match;
  /** Sends the recorded messages for a request. Resolves after the last one. */
  play(request: ReplayRequest, match: Match, send: SendText): Promise<void>;
  answer(message: { readonly id?: unknown }): void;
  initialized(): void;
  cancel(id: unknown): void;
}

export type Match =
  | {
      readonly exchange: ScriptExchange;
      /** Makes the exchange available again to the next equal request. */
      readonly release: () => void;
    }
  | { readonly problem: string; readonly code: "METHOD_NOT_FOUND" | "INVALID_PARAMS" };

export function createReplay(script: TapeScript, options: ReplayOptions = {}): Replay {
  const byKey = new Map<string, ScriptExchange[]>();
  for (const exchange of script.exchanges) {
    const key = keyOf(exchange);
    const same = byKey.get(key);
    if (same) same.push(exchange);
    else byKey.set(key, [exchange]);
  }
  const used = new Map<string, number>();
  let questions = 0;

  const find = (request: ReplayRequest): Match => {
    const { _meta: _, ...params } = request.params ?? {};
    const requested = {
      method: request.method,
      params,
      row: script.revision.methods.get(request.method),
    };
    let key = keyOf(requested);
    let same = byKey.get(key);
    if (same === undefined) {
      const masked = script.exchanges.find(
        (one) =>
          one.method === request.method &&
          hasMask(one.params) &&
          replayDifferences(one.params, params).length === 0,
      );
      if (masked) {
        key = keyOf(masked);
        same = byKey.get(key);
      }
    }
    if (same === undefined) return missOf(script, request.method, params);
    const index = used.get(key) ?? 0;
    used.set(key, index + 1);
    // Every client may open a conversation, so these requests can be repeated.
    const isRepeatable = options.loose === true || isOpening(requested.row?.role);
    const exchange = same[index] ?? (isRepeatable ? same.at(-1) : undefined);
    if (exchange) return { exchange, release: () => void used.set(key, index) };
    const lines = same.map(({ n }) => n).join(", ");
    return {
      code: "INVALID_PARAMS",
      problem: `The tape has this ${request.method} ${same.length === 1 ? "once" : `${same.length} times`} (line ${lines}), and it was sent again. --loose repeats the last response.`,
    };
  };

  return {
    connect: () => openConnection(script, options, find, () => `replay-${++questions}`),
  };
}

function keyOf({ method, params, row }: Pick<ScriptExchange, "method" | "params" | "row">): string {
  return isOpening(row?.role) ? method : requestKey(method, params);
}

function isOpening(role: string | undefined): boolean {
  return role === "initialize" || role === "discover" || role === "ping";
}

/** Describes the most similar recorded request and where the received one differs from it. */
function missOf({ exchanges, revision }: TapeScript, method: string, params: unknown): Match {
  const same = exchanges.filter((one) => one.method === method);
  if (same.length === 0) {
    return { code: "METHOD_NOT_FOUND", problem: `The tape has no ${method}.` };
  }
  const by = revision.families.find(({ use }) => use === method)?.by;
  const compared = same.map(({ n, params: recorded }) => {
    const differences = replayDifferences(recorded, params);
    // A request for another tool is less similar than one with other arguments.
    const isOther = differences.some(({ pointer }) => pointer === `/${by}`);
    return { n, differences, distance: differences.length + (isOther ? OTHER_ITEM : 0) };
  });
  const nearest = compared.reduce((best, one) => (one.distance < best.distance ? one : best));
  const [first] = nearest.differences;
  const where = first ? ` It differs at /params${first.pointer}: ${valuesOf(first)}.` : "";
  return {
    code: "INVALID_PARAMS",
    problem: `The tape has no ${method} with these parameters. Line ${nearest.n} is the nearest.${where}`,
  };
}

/** The additional distance of a request for another tool, prompt or resource. */
const OTHER_ITEM = 1000;

function openConnection(
  script: TapeScript,
  { fast = false, onDifference }: ReplayOptions,
  find: (request: ReplayRequest) => Match,
  nextId: () => string,
): ReplayConnection {
  const waiting = new Map<unknown, (message: Record<string, unknown>) => void>();
  const cancelled = new Set<unknown>();
  const { errorCodes } = script.revision;
  const handshake: { complete?: () => void } = {};
  const initialized = new Promise<void>((resolve) => (handshake.complete = resolve));

  const failure = (id: RequestId, code: string, message: string): string =>
    JSON.stringify({ jsonrpc: "2.0", id, error: { code: errorCodes[code], message } });

  /**
   * Sends a recorded request to the client, and returns the difference between the client's response and the recorded
   * one.
   */
  const ask = async (
    item: ScriptItem,
    text: string,
    send: SendText,
  ): Promise<string | undefined> => {
    const id = nextId();
    const response = new Promise<Record<string, unknown>>((resolve) => waiting.set(id, resolve));
    send(withScalar(text, "/id", JSON.stringify(id)), false);
    if (item.answer === undefined) return undefined;
    const { id: _, ...received } = await response;
    const { id: __, ...recorded } = item.answer.message;
    const [first] = replayDifferences(recorded, received);
    if (first === undefined) return undefined;
    return `The client's response differs from line ${item.answer.n}: at ${first.pointer}, ${valuesOf(first)}.`;
  };

  return {
    find,
    async play(request, match, send) {
      const { id } = request;
      if ("problem" in match) return send(failure(id, match.code, match.problem), true);
      const { items, reply, after, row } = match.exchange;
      let at = 0;
      for (const item of items) {
        if (!fast) await pause(item.t - at);
        at = item.t;
        if (cancelled.has(id)) return;
        const text = rewritten(item.text, request);
        if (!item.isQuestion) send(text, false);
        else {
          const problem = await ask(item, text, send);
          if (problem !== undefined) return send(failure(id, "INVALID_PARAMS", problem), true);
        }
      }
      if (reply === undefined && row?.role !== "ping") return;
      if (!fast && reply) await pause(reply.t - at);
      at = reply?.t ?? at;
      if (cancelled.has(id)) return;
      const { member, text } = reply ?? { member: "result", text: "{}" };
      send(
        `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"${member}":${resultText(text, request)}}`,
        true,
      );
      // Messages that follow the handshake are sent once the client has completed it.
      if (after.length > 0 && row?.role === "initialize") await initialized;
      for (const item of after) {
        const between = rewritten(item.text, request);
        if (!fast) await pause(item.t - at);
        at = item.t;
        if (!item.isQuestion) send(between, false);
        else void ask(item, between, send).then((problem) => problem && onDifference?.(problem));
      }
    },
    answer(message) {
      const resolve = waiting.get(message.id);
      waiting.delete(message.id);
      resolve?.(message as Record<string, unknown>);
    },
    initialized: () => handshake.complete?.(),
    cancel: (id) => void cancelled.add(id),
  };
}

/** The maximum pause, in milliseconds. Longer recorded pauses are shortened to it. */
const LONGEST_PAUSE = 60_000;

async function pause(milliseconds: number): Promise<void> {
  if (milliseconds < 1) return;
  await new Promise((resolve) => setTimeout(resolve, Math.min(milliseconds, LONGEST_PAUSE)));
}

/** Replaces a message's recorded progress token and subscription id with those of this request. */
function rewritten(text: string, { id, params }: ReplayRequest): string {
  const meta = params?.["_meta"] as Record<string, unknown> | undefined;
  const token = meta?.progressToken;
  let result = text;
  if (token !== undefined) {
    result = withScalar(result, "/params/progressToken", JSON.stringify(token));
  }
  return withScalar(result, `/params/_meta/${SUBSCRIPTION}`, JSON.stringify(id));
}

function resultText(text: string, { id }: ReplayRequest): string {
  return withScalar(text, `/_meta/${SUBSCRIPTION}`, JSON.stringify(id));
}

const SUBSCRIPTION = META.subscription.replaceAll("/", "~1");

function withScalar(text: string, pointer: string, literal: string): string {
  return replaceScalars(text, (path) => (pointerOf(path) === pointer ? literal : undefined));
}

export function notify(connection: ReplayConnection, message: Members): void {
  const role = roleOf(message["method"]);
  if (role === "initialized") connection.initialized();
  if (role !== "cancelled") return;
  connection.cancel((message["params"] as { readonly requestId?: unknown } | undefined)?.requestId);
}
