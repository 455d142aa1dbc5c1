import { type Answer, Connection } from "./connection.js";

export type Revision = "2025-06-18" | "2025-11-25" | "2026-07-28";

/** What a client asks for, again and again. */
export interface Asking {
  readonly revision: Revision;
  readonly sessions: boolean;
  readonly tool: "echo" | "long" | "tell";
  /** Default: JSON and streams, as the protocol demands. */
  readonly accept?: string | undefined;
}

const ARGUMENTS = { text: "Hello", times: 3, tone: "calm" };
const WRONG_ARGUMENTS = { ...ARGUMENTS, times: "often" };
const META_PREFIX = "io.modelcontextprotocol/";
const CLIENT = { name: "bench", version: "1.0.0" };

/** One client with a connection of its own, and a session where there are sessions. */
export class Client {
  readonly #asking: Asking;
  readonly #connection: Connection;
  /** Of every request, but for the length. */
  #head: string;
  #nextId = 1;

  private constructor(asking: Asking, connection: Connection, port: number) {
    this.#asking = asking;
    this.#connection = connection;
    const { accept = "application/json, text/event-stream", revision } = asking;
    this.#head = [
      "POST /mcp HTTP/1.1",
      `Host: 127.0.0.1:${port}`,
      `Accept: ${accept}`,
      "Content-Type: application/json",
      `MCP-Protocol-Version: ${revision}`,
      "",
    ].join("\r\n");
  }

  static async open(asking: Asking, port: number): Promise<Client> {
    const client = new Client(asking, await Connection.to(port), port);
    if (asking.sessions) await client.#openSession();
    if (asking.revision === "2026-07-28") {
      client.#head += `Mcp-Method: tools/call\r\nMcp-Name: ${asking.tool}\r\n`;
    }
    return client;
  }

  /** Calls the tool over and over, until `isOver`. */
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

  /** One call, whose answer is what it should be, or an error says what it was. */
  async check(): Promise<void> {
    const id = this.#nextId++;
    const answer = await this.#exchange(this.#callMessage(id));
    const messages = messagesIn(answer);
    const { tool } = this.#asking;
    const text = tool === "long" ? "0123456789".repeat(1024) : ARGUMENTS.text;
    const last = messages.at(-1);
    const isRight =
      last?.id === id &&
      last.result?.content?.[0]?.text === text &&
      last.result.isError !== true &&
      (tool !== "tell" || messages.some(({ method }) => method === "notifications/progress"));
    if (!isRight) throw wrong(answer);
  }

  /** One call with arguments that are not of their schema, which has to be refused. */
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
    const { revision: protocolVersion } = this.#asking;
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
    const { revision, tool: name } = this.#asking;
    const told = name === "tell" && { progressToken: id };
    const alone = revision === "2026-07-28" && {
      [`${META_PREFIX}protocolVersion`]: revision,
      [`${META_PREFIX}clientInfo`]: CLIENT,
      [`${META_PREFIX}clientCapabilities`]: {},
    };
    const meta = told || alone ? { ...told, ...alone } : undefined;
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

/** What is in JSON, or in an event stream whose events have come in chunks. */
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
