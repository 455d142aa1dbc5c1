import { type Answer, Connection } from "./connection.js";

/** The call that a client repeats. */
export interface Call {
  readonly revision: "2025-06-18" | "2025-11-25" | "2026-07-28";
  /** The tool to call. `tell` reports progress before it returns, so the response is a stream. */
  readonly tool: "echo" | "tell";
  /** The `Accept` field. Default: JSON and streams, as the protocol demands. */
  readonly accept?: string | undefined;
  /** True for calls without a session at a revision that has sessions. */
  readonly hasNoSession?: boolean | undefined;
}

const ARGUMENTS = { text: "Hello", times: 3, tone: "calm" };
const WRONG_ARGUMENTS = { ...ARGUMENTS, times: "often" };
const STATELESS = "2026-07-28";
const META_PREFIX = "io.modelcontextprotocol/";
const CLIENT = { name: "bench", version: "1.0.0" };

/** One client with its own connection, and a session if the server has sessions. */
export class Client {
  readonly #repeated: Call;
  readonly #connection: Connection;
  /** The header fields of every request, except the length. */
  #head: string;
  #nextId = 1;

  private constructor(repeated: Call, connection: Connection, port: number) {
    this.#repeated = repeated;
    this.#connection = connection;
    const { accept = "application/json, text/event-stream", revision } = repeated;
    this.#head = [
      "POST /mcp HTTP/1.1",
      `Host: 127.0.0.1:${port}`,
      `Accept: ${accept}`,
      "Content-Type: application/json",
      `MCP-Protocol-Version: ${revision}`,
      "",
    ].join("\r\n");
  }

  static async open(repeated: Call, port: number): Promise<Client> {
    const client = new Client(repeated, await Connection.to(port), port);
    if (repeated.revision !== STATELESS) {
      if (!repeated.hasNoSession) await client.#openSession();
    } else {
      client.#head += `Mcp-Method: tools/call\r\nMcp-Name: ${repeated.tool}\r\n`;
    }
    return client;
  }

  /** Calls the tool repeatedly until `isOver` returns true. */
  call(isOver: () => boolean, count: () => void): Promise<void> {
    return new Promise((resolve, reject) => {
      const next = (): void => {
        if (isOver()) return resolve();
        const id = this.#nextId++;
        const settle = (answer: Answer): void => {
          const { status, body } = answer;
          if (status !== 200 || !body.includes(`"id":${id}`)) return reject(wrong(answer));
          count();
          next();
        };
        this.#connection.send(this.#request(this.#callMessage(id)), settle, reject);
      };
      next();
    });
  }

  /** Makes one call. Throws if the answer is wrong. */
  async check(): Promise<void> {
    const id = this.#nextId++;
    const answer = await this.#exchange(this.#callMessage(id));
    const messages = messagesIn(answer);
    const { tool } = this.#repeated;
    const last = messages.at(-1);
    const isRight =
      last?.id === id &&
      last.result?.content?.[0]?.text === ARGUMENTS.text &&
      last.result.isError !== true &&
      (tool !== "tell" || messages.some(({ method }) => method === "notifications/progress"));
    if (!isRight) throw wrong(answer);
  }

  /** Makes one call with wrong arguments. Throws if the server accepts them. */
  async checkRefusal(): Promise<void> {
    const id = this.#nextId++;
    const answer = await this.#exchange(this.#callMessage(id, WRONG_ARGUMENTS));
    const last = messagesIn(answer).at(-1);
    if (last?.error === undefined && last?.result?.isError !== true) throw wrong(answer);
  }

  end(): void {
    this.#connection.end();
  }

  async #openSession(): Promise<void> {
    const { revision: protocolVersion } = this.#repeated;
    const answer = await this.#exchange({
      jsonrpc: "2.0",
      id: 0,
      method: "initialize",
      params: { protocolVersion, capabilities: {}, clientInfo: CLIENT },
    });
    const [, id] = /\r\nmcp-session-id: *(\S+)/i.exec(answer.head) ?? [];
    if (answer.status !== 200 || id === undefined) throw wrong(answer);
    this.#head += `Mcp-Session-Id: ${id}\r\n`;
    const { status } = await this.#exchange({
      jsonrpc: "2.0",
      method: "notifications/initialized",
    });
    if (status !== 202) throw wrong(answer);
  }

  #exchange(message: unknown): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#connection.send(this.#request(message), resolve, reject);
    });
  }

  #request(message: unknown): string {
    const body = JSON.stringify(message);
    return `${this.#head}Content-Length: ${body.length}\r\n\r\n${body}`;
  }

  #callMessage(id: number, args: object = ARGUMENTS): unknown {
    const { revision, tool: name } = this.#repeated;
    const progress = name === "tell" && { progressToken: id };
    const envelope = revision === STATELESS && {
      [`${META_PREFIX}protocolVersion`]: revision,
      [`${META_PREFIX}clientInfo`]: CLIENT,
      [`${META_PREFIX}clientCapabilities`]: {},
    };
    const meta = progress || envelope ? { ...progress, ...envelope } : undefined;
    const params = { name, arguments: args, _meta: meta };
    return { jsonrpc: "2.0", id, method: "tools/call", params };
  }
}

interface Received {
  readonly id?: number;
  readonly method?: string;
  readonly error?: unknown;
  readonly result?: {
    readonly content?: readonly { readonly text?: string }[];
    readonly isError?: boolean;
  };
}

/** Returns the messages in a JSON body, or in an event stream whose events came in chunks. */
function messagesIn({ head, body }: Answer): readonly Received[] {
  if (!/\r\ncontent-type: *text\/event-stream/i.test(head)) {
    const text = body.slice(body.indexOf("{"), body.lastIndexOf("}") + 1);
    return [JSON.parse(text) as Received];
  }
  const lines = body.split(/\r?\n/).filter((line) => /^data: *\{/.test(line));
  return lines.map((line) => JSON.parse(line.slice(line.indexOf("{"))) as Received);
}

function wrong({ head, body }: Answer): Error {
  return new Error(`A wrong answer: ${head.split("\r\n")[0]}: ${body.slice(0, 300)}`);
}
