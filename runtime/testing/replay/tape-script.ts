import { type Method, type Revision, META } from "@mcp-codegen/runtime";
import { revisions } from "@mcp-codegen/universal/revisions";
import {
  canonicalText,
  isMasked,
  openTape,
  type TapeLine,
  type TapeSource,
} from "../tape/index.js";
import { textAt } from "../tape/json-text.js";
import { type Difference, differencesOf } from "../tape/json-value.js";
import { sessionRevisions } from "../checks/roles.js";

/** Message that the server sent while a request was in flight, or after it. */
export interface ScriptItem {
  readonly n: number;
  /** Milliseconds since the request. */
  readonly t: number;
  /** Text of the message. */
  readonly text: string;
  /** True for a request to the client. */
  readonly isQuestion: boolean;
  /** Response of the client; undefined if the tape has none. */
  answer: { readonly n: number; readonly message: Record<string, unknown> } | undefined;
}

/** Request of the client, and the messages with which the server reacted. */
export interface ScriptExchange {
  readonly n: number;
  readonly t: number;
  readonly method: string;
  /** Parameters without `_meta`. */
  readonly params: unknown;
  readonly row: Method | undefined;
  readonly items: ScriptItem[];
  /** Messages after the response that belong to no other request. */
  readonly after: ScriptItem[];
  /** Response; undefined if the tape has none. */
  reply:
    | {
        readonly n: number;
        readonly t: number;
        readonly member: "result" | "error";
        readonly text: string;
        readonly status: number | undefined;
      }
    | undefined;
}

/** Requests of a tape, in their order. */
export interface TapeScript {
  readonly exchanges: readonly ScriptExchange[];
  /** Revision of the tape: the first that a session agreed on, or that a request named. */
  readonly revision: Revision;
  /** True if the server assigned session ids. */
  readonly hasSessions: boolean;
}

interface Build {
  readonly exchanges: ScriptExchange[];
  readonly conversations: Map<number, BuiltConversation>;
  revision: Revision | undefined;
  hasSessions: boolean;
}

interface BuiltConversation {
  readonly inFlight: Map<string, ScriptExchange>;
  readonly tokens: Map<string, ScriptExchange>;
  readonly byExchange: Map<number, ScriptExchange>;
  readonly questions: Map<string, ScriptItem>;
  last: ScriptExchange | undefined;
}

/** Reads a tape into memory, to replay it. */
export async function readScript(source: TapeSource): Promise<TapeScript> {
  const tape = await openTape(source);
  const build: Build = {
    exchanges: [],
    conversations: new Map(),
    revision: undefined,
    hasSessions: false,
  };
  for await (const line of tape) {
    if (line.http?.headers?.["mcp-session-id"] !== undefined) build.hasSessions = true;
    if (line.message === undefined || line.source === undefined) continue;
    const messages = Array.isArray(line.message) ? line.message : [line.message];
    messages.forEach((message: unknown, index) => {
      if (typeof message !== "object" || message === null) return;
      const path = Array.isArray(line.message) ? ["message", index] : ["message"];
      addMessage(build, line, message as Record<string, unknown>, path);
    });
  }
  return {
    exchanges: build.exchanges,
    revision: build.revision ?? sessionRevisions[0]!,
    hasSessions: build.hasSessions,
  };
}

function addMessage(
  build: Build,
  line: TapeLine,
  message: Record<string, unknown>,
  path: readonly (string | number)[],
): void {
  let conversation = build.conversations.get(line.conversation);
  if (conversation === undefined) {
    conversation = {
      inFlight: new Map(),
      tokens: new Map(),
      byExchange: new Map(),
      questions: new Map(),
      last: undefined,
    };
    build.conversations.set(line.conversation, conversation);
  }
  const { method, id } = message;
  const isRequest = typeof method === "string" && id !== undefined;
  if (line.from === "client") {
    if (isRequest) addRequest(build, conversation, line, message as never);
    else if (method === undefined) {
      const question = conversation.questions.get(JSON.stringify(id));
      if (question) question.answer = { n: line.n, message };
    }
    return;
  }
  if (method === undefined) return addReply(build, conversation, line, message, path);
  const text = textAt(line.source!, path)!;
  const owner = ownerOf(conversation, line, message);
  if (owner === undefined) return;
  const item: ScriptItem = {
    n: line.n,
    t: line.t - owner.t,
    text,
    isQuestion: isRequest,
    answer: undefined,
  };
  (owner.reply === undefined ? owner.items : owner.after).push(item);
  if (isRequest) conversation.questions.set(JSON.stringify(id), item);
}

function addRequest(
  build: Build,
  conversation: BuiltConversation,
  line: TapeLine,
  {
    id,
    method,
    params = {},
  }: { readonly id: unknown; readonly method: string; readonly params?: object },
): void {
  const { _meta: meta, ...rest } = params as { readonly _meta?: Record<string, unknown> };
  const named = meta?.[META.revision];
  build.revision ??= revisions.find((one) => one.id === named);
  const exchange: ScriptExchange = {
    n: line.n,
    t: line.t,
    method,
    params: rest,
    row: revisions.map(({ methods }) => methods.get(method)).find((row) => row !== undefined),
    items: [],
    after: [],
    reply: undefined,
  };
  build.exchanges.push(exchange);
  conversation.inFlight.set(JSON.stringify(id), exchange);
  conversation.last = exchange;
  const token = meta?.progressToken;
  if (token !== undefined) conversation.tokens.set(JSON.stringify(token), exchange);
  if (line.http?.exchange !== undefined) conversation.byExchange.set(line.http.exchange, exchange);
}

function addReply(
  build: Build,
  conversation: BuiltConversation,
  line: TapeLine,
  message: Record<string, unknown>,
  path: readonly (string | number)[],
): void {
  const key = JSON.stringify(message.id);
  const exchange = conversation.inFlight.get(key);
  if (exchange === undefined) return;
  conversation.inFlight.delete(key);
  const member = message.error === undefined ? "result" : "error";
  const text = textAt(line.source!, [...path, member]);
  if (text === undefined) return;
  const { result } = message as { readonly result?: { readonly protocolVersion?: unknown } };
  if (exchange.row?.role === "initialize") {
    build.revision ??= revisions.find(({ id }) => id === result?.protocolVersion);
  }
  exchange.reply = { n: line.n, t: line.t - exchange.t, member, text, status: line.http?.status };
}

/** Request that a message of the server belongs to: by token, subscription or HTTP exchange, or the last one. */
function ownerOf(
  { inFlight, tokens, byExchange, last }: BuiltConversation,
  { http }: TapeLine,
  { params }: Record<string, unknown>,
): ScriptExchange | undefined {
  const { progressToken, _meta: meta } = (params ?? {}) as {
    readonly progressToken?: unknown;
    readonly _meta?: Record<string, unknown>;
  };
  const subscription = meta?.[META.subscription];
  return (
    (progressToken === undefined ? undefined : tokens.get(JSON.stringify(progressToken))) ??
    (subscription === undefined ? undefined : inFlight.get(JSON.stringify(subscription))) ??
    (http?.exchange === undefined ? undefined : byExchange.get(http.exchange)) ??
    [...inFlight.values()].at(-1) ??
    last
  );
}

/** Text by which equal requests are found: the method, and the parameters without `_meta`. */
export function requestKey(method: string, params: unknown): string {
  return `${method} ${canonicalText(params)}`;
}

/** Longest text of a value in an error. */
export const LONGEST = 80;

/** Places where a received value differs from the recorded one. A masked value is equal to any other. */
export function replayDifferences(recorded: unknown, received: unknown): readonly Difference[] {
  return differencesOf(recorded, received, {
    isEqual: (one, other) => (isMasked(one) && other !== undefined ? true : undefined),
  });
}

/** True if a value contains a mask. */
export function hasMask(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return isMasked(value);
  return Object.values(value).some(hasMask);
}
