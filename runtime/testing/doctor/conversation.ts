import type { Revision } from "@mcp-codegen/runtime";
import type { TapeLine } from "../tape/index.js";
import { openHttp, type UrlTarget } from "./link/http-link.js";
import {
  type Around,
  type Delivery,
  type Ending,
  isWithin,
  LINE_LIMIT,
  type Link,
  type LinkEvents,
  type Recorder,
  pause,
  quiet,
  sendSplit,
} from "./link/link.js";
import { type MemoryTarget, openMemory } from "./link/memory-link.js";
import { poll } from "./link/resume.js";
import { isStateless as servesStateless } from "../checks/check.js";
import { type Manner, outcomeOf } from "./server/input.js";
import { openSse } from "./link/sse-link.js";
import { openProcess, type ProcessTarget } from "./link/process-link.js";
import { headersOf, messageOf, withMeta } from "./outgoing.js";
import { isMembers, type Members, messagesIn } from "../tape/json-value.js";

/** A server outside this process: a command or a URL. */
export type OuterTarget = ProcessTarget | UrlTarget;

/** Server to examine. */
export type Target = OuterTarget | MemoryTarget;

interface Received {
  readonly line: TapeLine;
  readonly delivery: Delivery | undefined;
}

/** A peer's response to a request, or what happened instead. */
export type Answer =
  | ({ readonly kind: "result"; readonly result: Members } & Received)
  | ({ readonly kind: "error"; readonly error: Members } & Received)
  /** An HTTP response without a message for the request. */
  | { readonly kind: "refused"; readonly delivery: Delivery; readonly line: TapeLine | undefined }
  | { readonly kind: "silence"; readonly line: TapeLine | undefined }
  | { readonly kind: "closed"; readonly ending: Ending | undefined };

export interface RequestSettings {
  /** The request's id. Default: the next integer. */
  readonly id?: string | number | undefined;
  /** The header fields that replace those of the revision. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The maximum time to wait for the response, in milliseconds. */
  readonly timeout?: number | undefined;
  /** True to send the parameters unchanged, without the revision's metadata. */
  readonly bare?: boolean;
  /** True if the request will be cancelled and may therefore remain unanswered. */
  readonly isCancelled?: boolean;
  /**
   * Controls how the request is written: `split` writes it in two pieces; `joined` writes it together with the next
   * message. Default: in one piece of its own.
   */
  readonly pieces?: "split" | "joined" | undefined;
  readonly meta?: Members;
  /** A signal that stops waiting for the response and closes the HTTP response. */
  readonly signal?: AbortSignal;
}

/** A recorded conversation between the doctor and a peer. */
export interface Conversation {
  /** The conversation's number on the tape. */
  readonly number: number;
  readonly transport: Link["transport"];
  /** The capabilities that the doctor declares as a client. */
  readonly capabilities: Members;
  /** Controls how the doctor answers requests from the peer. Default: `accept`. */
  manner: Manner;
  request(method: string, params?: Members, settings?: RequestSettings): Promise<Answer>;
  notify(method: string, params?: Members): Promise<Delivery | undefined>;
  /** Sends an empty result for a request that the peer need not have sent. */
  respond(id: string): Promise<Delivery | undefined>;
  /**
   * Sends messages as one batch, and returns the number of responses. `isWanted` is false if no response is required.
   */
  batch(messages: readonly Members[], isWanted?: boolean): Promise<number>;
  /** The methods of the requests whose HTTP responses have not ended. */
  readonly unended: readonly string[];
  /** The requests whose event stream ended without `retry`: before the response or, after a GET, at any time. */
  readonly unretried: readonly TapeLine[];
  raw(text: string, headers?: Readonly<Record<string, string>>): Promise<Delivery | undefined>;
  /** Returns the peer's lines after line number `n`. */
  since(n: number): readonly TapeLine[];
  /** The number of the last line on the tape. */
  readonly position: number;
  /** Waits until nothing has been recorded for this number of milliseconds. */
  quiet(milliseconds: number): Promise<void>;
  /** Sets the revision whose form later messages have. */
  speak(revision: Revision): void;
  /** Opens the session's HTTP stream for messages from the peer that do not belong to a request. */
  listen(): void;
  /** True once the peer has left several requests unanswered. No more requests are sent after that. */
  readonly isSilent: boolean;
  readonly ending: Ending | undefined;
  close(how?: "eof" | "SIGTERM" | "SIGKILL"): Promise<Ending>;
}

export interface ConversationOptions {
  readonly recorder: Recorder;
  readonly number: number;
  /** The maximum time to wait for a response, in milliseconds. */
  readonly timeout: number;
  /** The maximum time to wait for a process to exit, in milliseconds. */
  readonly grace?: number | undefined;
  readonly capabilities: Members;
}

/** A name, cursor and URI scheme that no server uses. */
export const NOTHING: string = "mcp-codegen-doctor-nothing";

/** The number of unanswered requests after which no more are sent. */
const MOST_SILENCES = 3;

/** Begins a recorded conversation with a server. */
export function converse(target: Target, options: ConversationOptions): Conversation {
  const { recorder, number, capabilities } = options;
  const begun = recorder.lines.length;
  const waiting = new Map<string, (line: TapeLine) => void>();
  const enders = new Set<() => void>();
  const unended = new Map<Delivery, string>();
  const unretried: TapeLine[] = [];
  const cancelled = new Set<unknown>();
  let revision: Revision | undefined;
  let ending: Ending | undefined;
  let nextId = 1;
  let isFull = false;
  let isClosing = false;
  let silences = 0;
  let held = "";

  const add = (from: "client" | "server", message: unknown, around?: Around): TapeLine =>
    recorder.add({ from, conversation: number, message, ...around });
  const receive = (value: unknown, line: TapeLine): void => {
    for (const one of messagesIn(value)) {
      if (!isMembers(one)) continue;
      if ("method" in one) {
        if ("id" in one) void answer(one);
      } else waiting.get(String(one["id"]))?.({ ...line, message: one });
    }
  };
  const answer = async ({ id, method, params }: Members): Promise<void> => {
    const outcome = outcomeOf(String(method), params, conversation.manner);
    await post({ jsonrpc: "2.0", id, ...outcome }).catch(() => {});
  };
  const events: LinkEvents = {
    message(value, _text, around) {
      if (recorder.lines.length - begun >= LINE_LIMIT) return overflow();
      receive(value, add("server", value, around));
    },
    text(text, around) {
      if (recorder.lines.length - begun >= LINE_LIMIT) return overflow();
      recorder.add({ from: "server", conversation: number, text, ...around });
    },
    empty(http) {
      recorder.add({ from: "server", conversation: number, event: "response", http });
    },
    ended(how) {
      ending = isFull ? { ...how, by: "limit" } : how;
      recorder.add({ conversation: number, event: "closed", code: how.code ?? null });
      for (const end of enders) end();
    },
  };
  const link = openLink(target, events, options.grace);
  function overflow(): void {
    if (isFull) return;
    isFull = true;
    void link.close("SIGKILL");
  }
  const post = (
    message: Members | readonly Members[],
    headers?: Readonly<Record<string, string>>,
    pieces?: RequestSettings["pieces"],
  ): Promise<Delivery | undefined> => {
    const text = JSON.stringify(message);
    const fields = { ...headersOf(revision, isMembers(message) ? message : {}), ...headers };
    if (link.transport !== "http") {
      add("client", message);
      if (pieces === "split") return sendSplit(link, text);
      const whole = `${held}${text}`;
      held = pieces === "joined" ? `${whole}\n` : "";
      return held === "" ? link.send(whole) : Promise.resolve(undefined);
    }
    const exchange = ++recorder.exchanges;
    add("client", message, { http: { exchange, method: "POST", headers: fields } });
    return link.send(text, fields, exchange);
  };

  const isOpen = (id: string | number): boolean => waiting.has(String(id)) && !cancelled.has(id);

  /** Opens or resumes an event stream. */
  function get(more?: Readonly<Record<string, string>>): Promise<Delivery> | undefined {
    if (link.listen === undefined) return undefined;
    const exchange = ++recorder.exchanges;
    const headers = { ...headersOf(revision, {}), ...more };
    const http = { exchange, method: "GET", headers };
    recorder.add({ from: "client", conversation: number, event: "request", http });
    return link.listen(headers, exchange);
  }

  async function request(
    method: string,
    params: Members = {},
    settings: RequestSettings = {},
  ): Promise<Answer> {
    const id = settings.id ?? nextId++;
    const limit = settings.timeout ?? options.timeout;
    const whole = settings.bare ? params : withMeta(revision, params, capabilities, settings.meta);
    if (ending || silences >= MOST_SILENCES) return { kind: "closed", ending };
    let delivery: Delivery | undefined;
    let sent: TapeLine | undefined;
    return new Promise<Answer>((resolve) => {
      const settle = (found: Answer): void => {
        clearTimeout(timer);
        waiting.delete(String(id));
        enders.delete(end);
        resolve(found);
      };
      const end = (): void => settle({ kind: "closed", ending });
      const timer = setTimeout(() => {
        delivery?.cancel();
        if (!settings.isCancelled) silences++;
        settle({ kind: "silence", line: sent });
      }, limit);
      enders.add(end);
      settings.signal?.addEventListener("abort", () => {
        delivery?.cancel();
        settle({ kind: "silence", line: sent });
      });
      waiting.set(String(id), (line) => settle(answerOf(line, delivery)));
      const sending = post(messageOf(method, whole, id), settings.headers, settings.pieces);
      sent = recorder.lines.at(-1);
      sending.then(
        async (head) => {
          if (head === undefined) return;
          delivery = head;
          const from = recorder.lines.length;
          unended.set(head, method);
          await head.done;
          unended.delete(head);
          const resume = (last: string): Promise<Delivery> | undefined =>
            get({ "last-event-id": last })?.then((next) => (delivery = next));
          const isPolled = revision === undefined || !servesStateless(revision);
          if (isPolled && !(await poll(head, { limit, isWaiting: () => isOpen(id), resume })))
            unretried.push(sent!);
          settle(
            withoutId(recorder.lines.slice(Math.max(0, from - 3)), number, head) ?? {
              kind: "refused",
              delivery: head,
              line: sent,
            },
          );
        },
        (error: Error) => {
          settle({ kind: "closed", ending: { by: "itself", stderr: "", problem: reason(error) } });
        },
      );
    });
  }

  const conversation: Conversation = {
    number,
    transport: link.transport,
    capabilities,
    manner: "accept",
    request,
    async notify(method, params = {}) {
      if ("requestId" in params) cancelled.add(params["requestId"]);
      const message = messageOf(method, withMeta(revision, params, capabilities));
      const delivery = await post(message).catch(() => undefined);
      // Another check detects servers that treat each piece of their input as a message.
      if (link.write !== undefined) await pause(5);
      return delivery;
    },
    respond: (id) => post({ jsonrpc: "2.0", id, result: {} }).catch(() => undefined),
    async batch(messages, isWanted = true) {
      const requests = messages.filter(({ id }) => id !== undefined);
      let count = 0;
      const all = new Promise<void>((resolve) => {
        for (const { id } of requests) {
          waiting.set(String(id), () => {
            if (++count === requests.length) resolve();
          });
        }
      });
      await post(messages).catch(() => {});
      if (requests.length === 0 || !isWanted) await quiet(recorder, 80);
      else await isWithin(Math.min(options.timeout, 2_000), all);
      for (const { id } of requests) waiting.delete(String(id));
      return count;
    },
    unretried,
    get unended() {
      return [...unended.values()];
    },
    raw: (text, headers) => {
      recorder.add({ from: "client", conversation: number, text });
      return link.send(text, headers).catch(() => undefined);
    },
    since: (n) =>
      recorder.lines.filter(
        (line) => line.n > n && line.conversation === number && line.from === "server",
      ),
    get position() {
      return recorder.lines.length;
    },
    quiet: (milliseconds) =>
      quiet(recorder, Math.min(milliseconds, link.transport === "memory" ? 10 : milliseconds)),
    speak(one) {
      revision = one;
    },
    listen() {
      const opening = get();
      const line = recorder.lines.at(-1)!;
      const stream = { limit: 0, isWaiting: () => !isClosing, resume: () => undefined };
      opening?.then(
        async (head) => {
          if (!(await poll(head, stream))) unretried.push(line);
        },
        () => {},
      );
    },
    get isSilent() {
      return silences >= MOST_SILENCES;
    },
    get ending() {
      return ending;
    },
    close(how) {
      isClosing = true;
      return link.close(how);
    },
  };
  return conversation;
}

function openLink(target: Target, events: LinkEvents, grace: number | undefined): Link {
  if ("url" in target) {
    return target.transport === "sse" ? openSse(target, events) : openHttp(target, events);
  }
  return "server" in target ? openMemory(target, events) : openProcess(target, events, grace);
}

function answerOf(line: TapeLine, delivery: Delivery | undefined): Answer {
  const { result, error } = line.message as Members;
  if (error !== undefined && result === undefined) {
    return { kind: "error", error: isMembers(error) ? error : {}, line, delivery };
  }
  return { kind: "result", result: isMembers(result) ? result : {}, line, delivery };
}

/** Returns the last error without an id, because an error response may omit the id of its request. */
function withoutId(
  lines: readonly TapeLine[],
  conversation: number,
  delivery: Delivery,
): Answer | undefined {
  const line = lines.findLast(
    ({ message, conversation: number, from }) =>
      number === conversation && from === "server" && isNamelessError(message),
  );
  return line && answerOf(line, delivery);
}

export function isNamelessError(message: unknown): boolean {
  return isMembers(message) && "error" in message && (message["id"] ?? null) === null;
}

function reason(error: Error): string {
  const { code } = error as NodeJS.ErrnoException;
  return code === undefined ? error.message : `${code}`;
}
