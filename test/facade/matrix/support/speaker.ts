import { Tap } from "../../../behaviour/tap/tap.js";
import { load } from "../../../behaviour/support/packages.js";
import type { Link, Route, Wire } from "./link.js";

const PREFIX = "io.modelcontextprotocol";

/** A client's answers by method; undefined if there is none yet. The client declares these methods. */
export type Answers = Readonly<Record<string, (params: Wire) => unknown>>;

/** An error that replaces a result where one is possible. */
export class Refusal {
  readonly code: number;
  readonly message: string;

  constructor(code: number, message: string) {
    this.code = code;
    this.message = message;
  }
}

export const AGREEABLE: Answers = {
  "elicitation/create": () => ({ action: "accept", content: { name: "Ada" } }),
  "sampling/createMessage": () => ({
    role: "assistant",
    content: { type: "text", text: "Paris" },
    model: "m",
  }),
  "roots/list": () => ({ roots: [{ uri: "file:///work", name: "work" }] }),
};

export interface SpeakerOptions {
  readonly name?: string;
  readonly answers?: Answers;
  readonly capabilities?: object;
  /** True if the speaker may send invalid messages. */
  readonly isRude?: boolean;
  /** True if another client has a session on the same pipe. */
  readonly isGuest?: boolean;
}

export interface ReceivedMessage {
  readonly message: Wire;
  readonly route: Route;
}

/** Gives each attempt its own token, under which it reports its progress. */
function freshToken({ _meta: given }: Wire, round: number): object {
  if (given?.progressToken === undefined) return {};
  return { _meta: { ...given, progressToken: `${given.progressToken}-${round}` } };
}

/** Uses exactly one revision in raw messages, and validates all messages against it. */
export class Speaker {
  readonly revision: string;
  readonly isAlone: boolean;
  /** All messages for this speaker, in order. */
  readonly messages: ReceivedMessage[] = [];
  /** The methods of the requests that the server sent, on any stream. */
  readonly asked: string[] = [];
  /** All sent and received messages, one per line, without the parts that differ each time. */
  readonly transcript: string[] = [];
  rounds = 0;
  readonly #link: Link;
  readonly #name: string;
  readonly #options: SpeakerOptions;
  readonly #tap: Tap;
  #wake: (() => void)[] = [];
  #count = 0;

  private constructor(link: Link, revision: string, options: SpeakerOptions, tap: Tap) {
    this.#link = link;
    this.revision = revision;
    this.isAlone = revision >= "2026";
    this.#options = options;
    this.#name = options.name ?? "raw";
    this.#tap = tap;
  }

  static async over(link: Link, revision: string, options: SpeakerOptions = {}): Promise<Speaker> {
    const tap = new Tap({
      packages: [await load(revision)],
      side: "server",
      assumed: revision >= "2026",
      checksReceived: !options.isRude,
    });
    const speaker = new Speaker(link, revision, options, tap);
    await link.open((message, route) => speaker.#receive(message, route));
    if (!speaker.isAlone) await speaker.#shakeHands();
    return speaker;
  }

  get violations(): readonly string[] {
    return this.#tap.violations;
  }

  /** The received notifications, with their routes. */
  get notes(): ReceivedMessage[] {
    return this.messages.filter(({ message: { id, method } }) => method && id === undefined);
  }

  /** Sends a request and returns its final result, after any number of rounds. */
  async call(method: string, params: object = {}): Promise<Wire> {
    let more: object = {};
    for (;;) {
      const { message } = await this.answerTo(await this.ask(method, { ...params, ...more }));
      if (message.result?.resultType !== "input_required") return message;
      this.rounds += 1;
      more = { ...this.answersTo(message.result), ...freshToken(params, this.rounds) };
    }
  }

  async tool(name: string, args: object = {}): Promise<Wire> {
    const { result, error } = await this.call("tools/call", { name, arguments: args });
    return result ?? error;
  }

  async text(name: string, args?: object): Promise<string> {
    const result = await this.tool(name, args);
    return result.content?.[0]?.text ?? JSON.stringify(result);
  }

  /** Sends a request without waiting for the response. */
  async ask(method: string, params: object = {}): Promise<string> {
    const id = `${this.#name}-${++this.#count}`;
    const said = this.say({ id, method, params: this.enveloped(params) });
    // A response may take as long as its request.
    if (this.#link.wire === "http") void said.catch(() => {});
    else await said;
    return id;
  }

  async say(message: object): Promise<void> {
    const whole = { jsonrpc: "2.0", ...message };
    this.#tap.received(whole);
    this.#write("→", whole);
    await this.#link.say(whole);
  }

  /** Returns the response to a request, with its route. */
  answerTo(id: unknown): Promise<ReceivedMessage> {
    return this.until(({ message }) => message.id === id && message.method === undefined);
  }

  async until(matches: (message: ReceivedMessage) => boolean): Promise<ReceivedMessage> {
    for (;;) {
      const found = this.messages.find(matches);
      if (found) return found;
      await new Promise<void>((resolve) => this.#wake.push(resolve));
    }
  }

  leave(id: unknown): void {
    this.#link.leave!(id);
  }

  cancel(requestId: unknown): Promise<void> {
    return this.say({ method: "notifications/cancelled", params: { requestId } });
  }

  close(): void {
    this.#link.close();
  }

  /** Returns the parameters in the revision's form, with the envelope of a stateless request. */
  enveloped(params: Wire): Wire {
    if (!this.isAlone) return params;
    const { _meta: given, ...others } = params;
    const envelope = {
      [`${PREFIX}/protocolVersion`]: this.revision,
      [`${PREFIX}/clientInfo`]: { name: this.#name, version: "1" },
      [`${PREFIX}/clientCapabilities`]: this.#capabilities(),
    };
    return { ...others, _meta: { ...envelope, ...given } };
  }

  /** Returns the parameters that accompany a request when it is repeated after an interim result. */
  answersTo({ inputRequests = {}, requestState }: Wire): object {
    const inputResponses: Record<string, unknown> = {};
    for (const [key, { method, params }] of Object.entries<Wire>(inputRequests)) {
      inputResponses[key] = this.#answer(method, params);
    }
    return { inputResponses, ...(requestState === undefined ? {} : { requestState }) };
  }

  #receive(message: Wire, route: Route): void {
    if (this.#isForOthers(message)) return;
    this.#tap.sent(message);
    this.#write(`← ${route.on.split(" ")[0]}${route.status ? ` ${route.status}` : ""}`, message);
    this.messages.push({ message, route });
    const { id, method, params } = message;
    if (method && id !== undefined) {
      const result = this.#answer(method, params);
      const reply = result instanceof Refusal ? { error: { ...result } } : { result };
      if (result !== undefined) this.say({ id, ...reply }).catch(() => {});
    }
    for (const wake of this.#wake.splice(0)) wake();
  }

  /**
   * Returns true for messages to the pipe's other clients. Messages that are not marked with a request go to the client
   * with a session.
   */
  #isForOthers({ id, method, params }: Wire): boolean {
    if (this.#link.wire !== "stdio") return false;
    if (method !== undefined && id !== undefined) return this.#options.isGuest === true;
    const isOurs = (value: unknown): boolean => String(value).startsWith(`${this.#name}-`);
    if (method === undefined) return id !== undefined && id !== null && !isOurs(id);
    const token: unknown =
      params?.["_meta"]?.[`${PREFIX}/subscriptionId`] ??
      params?.progressToken ??
      (method === "notifications/cancelled" ? params.requestId : undefined);
    return typeof token === "string" ? !isOurs(token) : this.#options.isGuest === true;
  }

  #answer(method: string, params: Wire): unknown {
    this.asked.push(method);
    const answer = this.#options.answers?.[method];
    if (!answer) throw new Error(`Nobody answers ${method}`);
    return answer(params);
  }

  #write(arrow: string, message: Wire): void {
    const text = JSON.stringify(message)
      .replace('"jsonrpc":"2.0",', "")
      .replaceAll(/"requestState":"[^"]+"/g, '"requestState":"…"');
    this.transcript.push(`${arrow} ${text}`);
  }

  async #shakeHands(): Promise<void> {
    const params = {
      protocolVersion: this.revision,
      capabilities: this.#capabilities(),
      clientInfo: { name: this.#name, version: "1" },
    };
    const id = await this.ask("initialize", params);
    const { message } = await this.answerTo(id);
    if (message.result?.protocolVersion !== this.revision) {
      throw new Error(`Not ${this.revision}: ${JSON.stringify(message)}`);
    }
    await this.say({ method: "notifications/initialized" });
    await this.#link.ready?.(this.revision);
  }

  #capabilities(): object {
    const { answers = {}, capabilities } = this.#options;
    const modes = this.revision >= "2025-11" ? { form: {}, url: {} } : {};
    const hasForms = "elicitation/create" in answers && this.revision >= "2025-06";
    return {
      ...(hasForms ? { elicitation: modes } : {}),
      ...("sampling/createMessage" in answers ? { sampling: {} } : {}),
      ...("roots/list" in answers ? { roots: {} } : {}),
      ...capabilities,
    };
  }
}
