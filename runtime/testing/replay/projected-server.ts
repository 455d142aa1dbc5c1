import { META, type Revision, RpcError } from "@mcp-codegen/runtime";
import { McpServer } from "@mcp-codegen/universal/server";
import { createReplay, type ReplayOptions } from "./replay.js";
import {
  replayDifferences,
  requestKey,
  type ScriptExchange,
  type ScriptItem,
  type TapeScript,
  valuesOf,
} from "./tape-script.js";
import { revisions } from "@mcp-codegen/universal/revisions";

interface ReplayContext {
  readonly request: (method: string, params: unknown) => Promise<unknown>;
  readonly progress: (progress: number, total?: number, message?: string) => void;
  readonly log: (level: string, data: unknown) => void;
}

type Handler = (params: Record<string, unknown>, ctx: ReplayContext) => Promise<unknown>;

/**
 * Creates a server that replays a tape in another revision. As with any server, values that this revision cannot
 * express are lost.
 */
export function projectedServer(
  script: TapeScript,
  target: Revision,
  options: ReplayOptions = {},
): McpServer {
  const { revision } = script;
  const neutral: TapeScript = {
    ...script,
    revision: revisions[0]!,
    exchanges: joinRounds(script.exchanges.map((one) => neutralExchange(one, revision))),
  };
  const opening = script.exchanges.find(
    ({ row, reply }) => isOpening(row?.role) && reply?.member === "result",
  );
  const { serverInfo, capabilities, instructions } = openingOf(opening);
  const server = new McpServer(serverInfo, {
    capabilities: capabilities as object,
    revisions: [target],
    ...(instructions !== undefined && { instructions }),
  });
  const connection = createReplay(neutral, options).connect();
  const methods = new Set(
    neutral.exchanges.flatMap(({ method, row }) =>
      row?.role === undefined &&
      target.methods.get(method)?.from !== "server" &&
      target.methods.has(method)
        ? [method]
        : [],
    ),
  );
  const isEmbedding = target.traits.serverRequests === "embedded";
  for (const method of methods) {
    const handler: Handler = async (received, ctx) => {
      const { inputResponses: _, requestState: __, ...params } = received;
      const request = { id: 0, method, params };
      const match = connection.find(request);
      if ("problem" in match) throw new RpcError(target.errorCodes[match.code]!, match.problem);
      // If questions are part of results, the handler is called again once they have been answered.
      const isRepeated = isEmbedding && match.exchange.items.some(({ isQuestion }) => isQuestion);
      if (isRepeated) match.release();
      const result = await act(match.exchange, ctx, target);
      if (isRepeated) connection.find(request);
      return result;
    };
    server.setHandler(method as never, handler as never);
  }
  return server;
}

async function act(
  { items, reply }: ScriptExchange,
  ctx: ReplayContext,
  target: Revision,
): Promise<unknown> {
  for (const { text, answer } of items) {
    const {
      method,
      id,
      params = {},
    } = JSON.parse(text) as {
      readonly method: string;
      readonly id?: unknown;
      readonly params?: Record<string, unknown>;
    };
    if (id === undefined) {
      if (typeof params.progress === "number") {
        ctx.progress(
          params.progress,
          params.total as number | undefined,
          params.message as string | undefined,
        );
      }
      if (typeof params.level === "string") ctx.log(params.level, params.data);
      continue;
    }
    const received = await ctx.request(method, params);
    if (answer === undefined) continue;
    const [first] = replayDifferences(answer.message.result, received);
    if (first === undefined) continue;
    throw new RpcError(
      target.errorCodes["INVALID_PARAMS"]!,
      `The client's response differs from line ${answer.n}: at /result${first.pointer}, ${valuesOf(first)}.`,
    );
  }
  const value: unknown = JSON.parse(reply?.text ?? "{}");
  if (reply?.member !== "error") return value;
  const { code, message, data } = value as { code: number; message: string; data?: unknown };
  throw new RpcError(code, message, data);
}

function isOpening(role: string | undefined): boolean {
  return role === "initialize" || role === "discover";
}

function openingOf(opening: ScriptExchange | undefined) {
  const result = JSON.parse(opening?.reply?.text ?? "{}") as Record<string, unknown>;
  const meta = (result["_meta"] ?? {}) as Record<string, unknown>;
  const info = result["serverInfo"] ??
    meta[META.serverInfo] ?? { name: "replay", version: "0.0.0" };
  return {
    serverInfo: info as { readonly name: string; readonly version: string },
    capabilities: result["capabilities"] ?? {},
    instructions: result["instructions"] as string | undefined,
  };
}

function neutralExchange(exchange: ScriptExchange, revision: Revision): ScriptExchange {
  const { method, params, items, reply } = exchange;
  return {
    ...exchange,
    params: up(revision, method, "params", params),
    items: items.map((item) => neutralItem(item, revision)),
    reply:
      reply &&
      (reply.member === "error"
        ? reply
        : { ...reply, text: neutralText(revision, method, reply.text) }),
  };
}

function neutralText(revision: Revision, method: string, text: string): string {
  const result = JSON.parse(text) as Record<string, unknown>;
  if (result["resultType"] === INPUT_REQUIRED) return text;
  const { resultType: _, ...value } = up(revision, method, "result", result) as Record<
    string,
    unknown
  >;
  return JSON.stringify(value);
}

function neutralItem(item: ScriptItem, revision: Revision): ScriptItem {
  if (!item.isQuestion) return item;
  const message = JSON.parse(item.text) as { readonly method: string; readonly params?: unknown };
  const params = up(revision, message.method, "params", message.params ?? {});
  const { answer } = item;
  const result = answer && up(revision, message.method, "result", answer.message["result"]);
  return {
    ...item,
    text: JSON.stringify({ ...message, params }),
    answer: answer && { ...answer, message: { ...answer.message, result } },
  };
}

function up(
  revision: Revision,
  method: string,
  part: "params" | "result",
  value: unknown,
): unknown {
  const row = revision.methods.get(method);
  const convert = row && revision.projection?.up(row, part);
  return convert && value !== undefined ? convert(value) : value;
}

/**
 * Joins a request's rounds into one exchange. Their input requests become questions that precede the final response.
 */
function joinRounds(exchanges: readonly ScriptExchange[]): readonly ScriptExchange[] {
  const joined: ScriptExchange[] = [];
  const open = new Map<string, ScriptExchange>();
  for (const exchange of exchanges) {
    const {
      inputResponses,
      requestState: _,
      ...params
    } = exchange.params as Record<string, unknown>;
    const key = requestKey(exchange.method, params);
    const before = open.get(key);
    open.delete(key);
    const answers = (inputResponses ?? {}) as Record<string, unknown>;
    const earlier = before?.items.map((item) => withAnswer(item, answers, exchange.n)) ?? [];
    const result = JSON.parse(exchange.reply?.text ?? "{}") as Record<string, unknown>;
    const isOpen = exchange.reply?.member === "result" && result["resultType"] === INPUT_REQUIRED;
    const questions = isOpen ? questionsOf(exchange, result) : [];
    const all = {
      ...exchange,
      n: before?.n ?? exchange.n,
      params,
      items: [...earlier, ...exchange.items, ...questions],
    };
    if (isOpen) open.set(key, all);
    else joined.push(all);
  }
  return joined;
}

function questionsOf(
  { n, t }: ScriptExchange,
  { inputRequests }: Record<string, unknown>,
): ScriptItem[] {
  return Object.entries((inputRequests ?? {}) as Record<string, object>).map(([id, request]) => ({
    n,
    t,
    text: JSON.stringify({ jsonrpc: "2.0", id, ...request }),
    isQuestion: true,
    answer: undefined,
  }));
}

function withAnswer(item: ScriptItem, answers: Record<string, unknown>, n: number): ScriptItem {
  if (!item.isQuestion || item.answer !== undefined) return item;
  const { id } = JSON.parse(item.text) as { readonly id: string };
  return Object.hasOwn(answers, id)
    ? { ...item, answer: { n, message: { result: answers[id] } } }
    : item;
}

const INPUT_REQUIRED = "input_required";
