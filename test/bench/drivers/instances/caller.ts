import { type Answer, Connection } from "../http/connection.js";
import { paramsOf, revisionOf } from "../stdio/conversation.js";

/** The tool whose call a client repeats, by the name of the case; undefined if no tool is called. */
export const exchanges = {
  "plain answer": "echo",
  "stream with progress": "tell",
  "question answered": "ask",
  "session opened and ended": undefined,
  "stateless call": "echo",
} as const;
export type Exchange = keyof typeof exchanges;

const ARGUMENTS = { text: "Hello", times: 3, tone: "calm" };
const clientInfo = { name: "bench", version: "1.0.0" };

/** A client that repeats one exchange, one at a time, and checks each answer. */
export class Caller {
  readonly #exchange: Exchange;
  readonly #connection: Connection;
  /** The connection for answers to questions, used while a call is pending on the other one. */
  readonly #second: Connection;
  readonly #head: string;
  #session = "";
  #nextId = 1;

  private constructor(exchange: Exchange, port: number, connections: readonly Connection[]) {
    this.#exchange = exchange;
    [this.#connection, this.#second] = connections as [Connection, Connection];
    const isStateless = exchange === "stateless call";
    this.#head = [
      " /mcp HTTP/1.1",
      `Host: 127.0.0.1:${port}`,
      "Accept: application/json, text/event-stream",
      "Content-Type: application/json",
      `MCP-Protocol-Version: ${revisionOf[isStateless ? "stateless" : "session"]}`,
      ...(isStateless ? ["Mcp-Method: tools/call", "Mcp-Name: echo"] : []),
      "",
    ].join("\r\n");
  }

  static async open(exchange: Exchange, port: number): Promise<Caller> {
    const connections = await Promise.all([Connection.to(port), Connection.to(port)]);
    const caller = new Caller(exchange, port, connections);
    const isOpen = exchange === "stateless call" || exchange === "session opened and ended";
    if (!isOpen) await caller.#openSession();
    return caller;
  }

  async once(): Promise<void> {
    const tool = exchanges[this.#exchange];
    if (tool !== undefined) return this.#call(tool);
    await this.#openSession();
    const ended = await this.#send("DELETE", "");
    if (ended.status >= 300) throw wrong(ended);
    this.#session = "";
  }

  end(): void {
    this.#connection.end();
    this.#second.end();
  }

  async #openSession(): Promise<void> {
    const opened = await this.#post({
      id: 0,
      method: "initialize",
      params: { protocolVersion: revisionOf.session, capabilities: { roots: {} }, clientInfo },
    });
    const [, id] = /\r\nmcp-session-id: *(\S+)/i.exec(opened.head) ?? [];
    if (opened.status !== 200 || id === undefined) throw wrong(opened);
    this.#session = `Mcp-Session-Id: ${id}\r\n`;
    const noted = await this.#post({ method: "notifications/initialized" });
    if (noted.status !== 202) throw wrong(noted);
  }

  async #call(name: string): Promise<void> {
    const id = this.#nextId++;
    const isStateless = this.#exchange === "stateless call";
    const params = paramsOf(isStateless ? "stateless" : "session", {
      name,
      arguments: ARGUMENTS,
      ...(name === "tell" && { _meta: { progressToken: id } }),
    });
    const replies: Promise<Answer>[] = [];
    const receive = (text: string): void => {
      const [line] = /\{[^\n]*"method":"roots\/list"[^\n]*/.exec(text) ?? [];
      if (line === undefined) return;
      const { id: question } = JSON.parse(line) as { id: string | number };
      replies.push(this.#post({ id: question, result: { roots: [] } }, this.#second));
    };
    const message = { id, method: "tools/call", params };
    const answer = await this.#post(
      message,
      this.#connection,
      name === "ask" ? receive : undefined,
    );
    const { status, body } = answer;
    const isRight =
      status === 200 && body.includes(`"id":${id}`) && body.includes('"text":"Hello"');
    const hasNotified = name !== "tell" || body.includes("notifications/progress");
    const isAsked = replies.length === (name === "ask" ? 1 : 0);
    if (!isRight || !hasNotified || !isAsked) throw wrong(answer);
    for (const reply of await Promise.all(replies)) if (reply.status !== 202) throw wrong(reply);
  }

  #post(message: object, connection?: Connection, receive?: (text: string) => void) {
    return this.#send("POST", JSON.stringify({ jsonrpc: "2.0", ...message }), connection, receive);
  }

  #send(
    method: string,
    body: string,
    connection = this.#connection,
    receive?: (text: string) => void,
  ): Promise<Answer> {
    const fields = `${this.#head}${this.#session}Content-Length: ${body.length}\r\n\r\n`;
    return new Promise((resolve, reject) => {
      connection.send(`${method}${fields}${body}`, resolve, reject, receive);
    });
  }
}

function wrong({ head, body }: Answer): Error {
  return new Error(`Wrong answer: ${head.split("\r\n")[0]}: ${body.slice(0, 300)}`);
}
