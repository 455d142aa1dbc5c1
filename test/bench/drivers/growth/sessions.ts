import { type Answer, Connection } from "../http/connection.js";

const REVISION = "2025-11-25";
const CONNECTIONS = 8;
const TEXT = "Hello";
const clientInfo = { name: "bench", version: "1.0.0" };

/** Many open sessions on one server, which take turns on a few connections. */
export class Sessions {
  readonly #connections: readonly Connection[];
  readonly #head: string;
  /** The header field of each session. */
  readonly #fields: string[] = [];
  #turn = 0;

  private constructor(connections: readonly Connection[], port: number) {
    this.#connections = connections;
    this.#head = [
      "POST /mcp HTTP/1.1",
      `Host: 127.0.0.1:${port}`,
      "Accept: application/json, text/event-stream",
      "Content-Type: application/json",
      `MCP-Protocol-Version: ${REVISION}`,
      "",
    ].join("\r\n");
  }

  static async on(port: number): Promise<Sessions> {
    const connecting = Array.from({ length: CONNECTIONS }, () => Connection.to(port));
    return new Sessions(await Promise.all(connecting), port);
  }

  /** Opens the given number of additional sessions. */
  async open(count: number): Promise<void> {
    let begun = 0;
    await this.#onEach(async (connection) => {
      while (begun++ < count) await this.#openOne(connection);
    });
  }

  /**
   * Makes calls in all sessions in turn, for the given time in milliseconds and at least the given number of times.
   *
   * @returns the number of answered calls
   */
  async call(milliseconds: number, atLeast = 0): Promise<number> {
    const end = performance.now() + milliseconds;
    let calls = 0;
    await this.#onEach(async (connection) => {
      do {
        await this.#callOne(connection);
        calls += 1;
      } while (performance.now() < end || calls < atLeast);
    });
    return calls;
  }

  end(): void {
    for (const connection of this.#connections) connection.end();
  }

  async #onEach(work: (connection: Connection) => Promise<void>): Promise<void> {
    await Promise.all(this.#connections.map(work));
  }

  async #openOne(connection: Connection): Promise<void> {
    const answer = await this.#exchange(connection, "", {
      id: 0,
      method: "initialize",
      params: { protocolVersion: REVISION, capabilities: {}, clientInfo },
    });
    const [, id] = /\r\nmcp-session-id: *(\S+)/i.exec(answer.head) ?? [];
    if (answer.status !== 200 || id === undefined) throw wrong(answer);
    const fields = `Mcp-Session-Id: ${id}\r\n`;
    const noted = await this.#exchange(connection, fields, { method: "notifications/initialized" });
    if (noted.status !== 202) throw wrong(noted);
    this.#fields.push(fields);
  }

  async #callOne(connection: Connection): Promise<void> {
    const id = this.#turn++;
    const fields = this.#fields[id % this.#fields.length]!;
    const params = { name: "echo", arguments: { text: TEXT } };
    const answer = await this.#exchange(connection, fields, { id, method: "tools/call", params });
    const { status, body } = answer;
    const isRight = status === 200 && body.includes(`"text":"${TEXT}"`);
    if (!isRight || !body.includes(`"id":${id}`)) throw wrong(answer);
  }

  #exchange(connection: Connection, fields: string, message: object): Promise<Answer> {
    const body = JSON.stringify({ jsonrpc: "2.0", ...message });
    const request = `${this.#head}${fields}Content-Length: ${body.length}\r\n\r\n${body}`;
    return new Promise((resolve, reject) => {
      connection.send(request, resolve, reject);
    });
  }
}

function wrong({ head, body }: Answer): Error {
  return new Error(`Wrong answer: ${head.split("\r\n")[0]}: ${body.slice(0, 300)}`);
}
