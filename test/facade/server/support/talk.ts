import { RawPeer, settled, type Wire } from "../../../engine/support/raw-peer.js";
import type { Frame } from "../../../../runtime/wire/messages/jsonrpc.js";
import { frameText } from "../../../../runtime/wire/messages/kept.js";
import type { Transport } from "../../../../runtime/wire/messages/transport.js";

/** A client's answers by method. The client declares the methods that it answers. */
export type Answers = Readonly<Record<string, (params: Wire) => unknown>>;

export interface TalkOptions {
  readonly answers?: Answers;
  readonly capabilities?: object;
}

/** Receives the text that transports write. */
class TextPeer extends RawPeer {
  override send(frame: Frame, relatedTo?: unknown): undefined {
    return super.send(JSON.parse(frameText(frame)), relatedTo);
  }
}

interface ServerInstance {
  fork(): { connect(transport: Transport): Promise<void> };
}

const PREFIX = "io.modelcontextprotocol";
const clientInfo = { name: "raw", version: "1" };

/** A client that uses one revision in raw messages and answers requests in the way of that revision. */
export class Talk {
  readonly raw: RawPeer = new TextPeer();
  /**
   * The received notifications. The next two properties hold the methods that the server requested and the number of
   * rounds.
   */
  readonly notes: Wire[] = [];
  readonly asked: string[] = [];
  rounds = 0;
  readonly #revision: string;
  readonly #options: TalkOptions;
  readonly #isAlone: boolean;
  #id = 0;

  private constructor(revision: string, options: TalkOptions) {
    this.#revision = revision;
    this.#options = options;
    this.#isAlone = revision >= "2026";
  }

  static async with(
    server: ServerInstance,
    revision: string,
    options: TalkOptions = {},
  ): Promise<Talk> {
    const talk = new Talk(revision, options);
    await server.fork().connect(talk.raw);
    if (!talk.#isAlone) await talk.#initialize();
    return talk;
  }

  /** Sends a request and continues until there is a final result. */
  async call(method: string, params: object = {}): Promise<Wire> {
    let extra: object = {};
    for (;;) {
      const id = ++this.#id;
      this.raw.ask(id, method, this.#enveloped({ ...params, ...extra }));
      const answer = await this.#answerTo(id);
      if (answer.result?.resultType !== "input_required") return answer;
      this.rounds += 1;
      const { inputRequests = {}, requestState } = answer.result;
      const inputResponses: Record<string, unknown> = {};
      for (const [key, request] of Object.entries<Wire>(inputRequests)) {
        inputResponses[key] = this.#answer(request.method, request.params);
      }
      extra = { inputResponses, ...(requestState === undefined ? {} : { requestState }) };
    }
  }

  /** Calls a tool and returns its result or the error. */
  async tool(name: string, args?: object): Promise<Wire> {
    const answer = await this.call("tools/call", { name, ...(args ? { arguments: args } : {}) });
    return answer.result ?? answer.error;
  }

  /** Returns the notifications since the last read, once no more are arriving. */
  async notifications(): Promise<Wire[]> {
    for (const message of await this.raw.rest()) if (message.method) this.notes.push(message);
    await settled();
    return this.notes.splice(0);
  }

  ask(method: string, params: object = {}): number {
    const id = ++this.#id;
    this.raw.ask(id, method, this.#enveloped(params));
    return id;
  }

  /** Opens a subscription and waits until the server has acknowledged it. */
  async listen(notifications: object): Promise<void> {
    this.ask("subscriptions/listen", { notifications });
    for (;;) {
      const message = await this.raw.next();
      if (message.method === "notifications/subscriptions/acknowledged") return;
      this.notes.push(message);
    }
  }

  async #answerTo(id: number): Promise<Wire> {
    for (;;) {
      const message = await this.raw.next();
      if (message.id === id && message.method === undefined) return message;
      if (message.id === undefined) this.notes.push(message);
      else this.raw.answer(message.id, this.#answer(message.method, message.params));
    }
  }

  #answer(method: string, params: Wire): unknown {
    this.asked.push(method);
    const answer = this.#options.answers?.[method];
    if (!answer) throw new Error(`Nobody answers ${method}`);
    return answer(params);
  }

  async #initialize(): Promise<void> {
    const params = {
      protocolVersion: this.#revision,
      capabilities: this.#capabilities(),
      clientInfo,
    };
    const { result } = await this.raw.call(0, "initialize", params);
    if (result?.protocolVersion !== this.#revision) throw new Error(`No ${this.#revision}`);
    this.raw.tell("notifications/initialized");
  }

  #enveloped(params: Wire): object {
    if (!this.#isAlone) return params;
    const envelope = {
      [`${PREFIX}/protocolVersion`]: this.#revision,
      [`${PREFIX}/clientInfo`]: clientInfo,
      [`${PREFIX}/clientCapabilities`]: this.#capabilities(),
    };
    const { _meta: given, ...others } = params;
    return { ...others, _meta: { ...envelope, ...given } };
  }

  #capabilities(): object {
    const { answers = {}, capabilities } = this.#options;
    const modes = this.#revision >= "2025-11" ? { form: {}, url: {} } : {};
    return {
      ...("elicitation/create" in answers ? { elicitation: modes } : {}),
      ...("sampling/createMessage" in answers ? { sampling: {} } : {}),
      ...("roots/list" in answers ? { roots: {} } : {}),
      ...capabilities,
    };
  }
}
