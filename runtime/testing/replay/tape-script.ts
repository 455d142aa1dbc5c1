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
import {
  type Difference,
  differencesOf,
  member,
  messagesIn,
  isMembers,
  type Members,
  shown,
} from "../tape/json-value.js";
import { sessionRevisions } from "../checks/roles.js";

/** A message that the server sent during a request or after its response. */
export interface ScriptItem {
  readonly n: number;
  /** The time between the request and this message, in milliseconds. */
  readonly t: number;
  readonly text: string;
  readonly isQuestion: boolean;
  answer: { readonly n: number; readonly message: Members } | undefined;
}

/** A request from the client, with everything that the server sent because of it. */
export interface ScriptExchange {
  readonly n: number;
  readonly t: number;
  readonly method: string;
  /** Parameters without `_meta`. */
  readonly params: unknown;
  readonly row: Method | undefined;
  readonly items: ScriptItem[];
  /** The messages after the response that do not belong to another request. */
  readonly after: ScriptItem[];
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

export interface TapeScript {
  readonly exchanges: readonly ScriptExchange[];
  /** The tape's revision: the first one that a session negotiated or a request named. */
  readonly revision: Revision;
  /** True if the server assigned session ids. */
  readonly hasSessions: boolean;
}

interface Conversation {
  readonly inFlight: Map<string, ScriptExchange>;
  readonly tokens: Map<string, ScriptExchange>;
  readonly byExchange: Map<number | undefined, ScriptExchange>;
  readonly questions: Map<string, ScriptItem>;
  last: ScriptExchange | undefined;
}

export async function readScript(source: TapeSource): Promise<TapeScript> {
  const exchanges: ScriptExchange[] = [];
  const conversations = new Map<number, Conversation>();
  let revision: Revision | undefined;
  let hasSessions = false;

  const conversationOf = (number: number): Conversation => {
    const found = conversations.get(number) ?? {
      inFlight: new Map(),
      tokens: new Map(),
      byExchange: new Map(),
      questions: new Map(),
      last: undefined,
    };
    conversations.set(number, found);
    return found;
  };
  const addRequest = (conversation: Conversation, line: TapeLine, message: Members): void => {
    const { _meta: meta, ...params } = (message["params"] ?? {}) as Members;
    const method = String(message["method"]);
    revision ??= revisions.find(({ id }) => id === member(meta, META.revision));
    const exchange: ScriptExchange = {
      n: line.n,
      t: line.t,
      method,
      params,
      row: revisions.map(({ methods }) => methods.get(method)).find((row) => row !== undefined),
      items: [],
      after: [],
      reply: undefined,
    };
    exchanges.push(exchange);
    conversation.inFlight.set(JSON.stringify(message["id"]), exchange);
    conversation.last = exchange;
    const token = member(meta, "progressToken");
    if (token !== undefined) conversation.tokens.set(JSON.stringify(token), exchange);
    const { exchange: number } = line.http ?? {};
    if (number !== undefined) conversation.byExchange.set(number, exchange);
  };
  const addReply = (
    { inFlight }: Conversation,
    { n, t, http, source: whole }: TapeLine,
    message: Members,
    path: Path,
  ): void => {
    const key = JSON.stringify(message["id"]);
    const exchange = inFlight.get(key);
    inFlight.delete(key);
    const name = message["error"] === undefined ? "result" : "error";
    const text = textAt(whole!, [...path, name]);
    if (exchange === undefined || text === undefined) return;
    if (exchange.row?.role === "initialize") {
      const version = member(message["result"], "protocolVersion");
      revision ??= revisions.find(({ id }) => id === version);
    }
    exchange.reply = { n, t: t - exchange.t, member: name, text, status: http?.status };
  };
  const addMessage = (line: TapeLine, message: Members, path: Path): void => {
    const conversation = conversationOf(line.conversation);
    const { method, id } = message;
    const isRequest = typeof method === "string" && id !== undefined;
    if (line.from === "client") {
      const question = conversation.questions.get(JSON.stringify(id));
      if (isRequest) addRequest(conversation, line, message);
      else if (method === undefined && question) question.answer = { n: line.n, message };
      return;
    }
    if (method === undefined) return addReply(conversation, line, message, path);
    const owner = ownerOf(conversation, line, message);
    if (owner === undefined) return;
    const text = textAt(line.source!, path)!;
    const t = line.t - owner.t;
    const item = { n: line.n, t, text, isQuestion: isRequest, answer: undefined };
    (owner.reply === undefined ? owner.items : owner.after).push(item);
    if (isRequest) conversation.questions.set(JSON.stringify(id), item);
  };

  for await (const line of await openTape(source)) {
    if (line.http?.headers?.["mcp-session-id"] !== undefined) hasSessions = true;
    if (line.message === undefined || line.source === undefined) continue;
    messagesIn(line.message).forEach((message, index) => {
      const path = Array.isArray(line.message) ? ["message", index] : ["message"];
      if (isMembers(message)) addMessage(line, message, path);
    });
  }
  return { exchanges, revision: revision ?? sessionRevisions[0]!, hasSessions };
}

type Path = readonly (string | number)[];

/**
 * Returns the request to which a server's message belongs. If the message does not name a request, returns the last
 * one, preferably one that is in flight.
 */
function ownerOf(
  { inFlight, tokens, byExchange, last }: Conversation,
  { http }: TapeLine,
  { params }: Members,
): ScriptExchange | undefined {
  const token = member(params, "progressToken");
  const subscription = member(member(params, "_meta"), META.subscription);
  return (
    tokens.get(JSON.stringify(token)) ??
    inFlight.get(JSON.stringify(subscription)) ??
    byExchange.get(http?.exchange) ??
    [...inFlight.values()].at(-1) ??
    last
  );
}

/** Returns the key that identifies equal requests: the method, and the parameters without `_meta`. */
export function requestKey(method: string, params: unknown): string {
  return `${method} ${canonicalText(params)}`;
}

/** The maximum length of a value in an error message, in characters. */
const LONGEST = 80;

export function valuesOf({ expected, received }: Difference): string {
  return `recorded ${shown(expected, LONGEST)}, received ${shown(received, LONGEST)}`;
}

/** Returns the differences between two values. A masked recorded value is equal to any value that is present. */
export function replayDifferences(recorded: unknown, received: unknown): readonly Difference[] {
  return differencesOf(recorded, received, {
    isEqual: (one, other) => (isMasked(one) && other !== undefined ? true : undefined),
  });
}

export function hasMask(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return isMasked(value);
  return Object.values(value).some(hasMask);
}
