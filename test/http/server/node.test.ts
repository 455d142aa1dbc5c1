import { request as httpRequest } from "node:http";
import { connect, type Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { createHttpHandler, type HttpHandlerOptions } from "../../../runtime/http/server/index.js";
import { listen, type ListenOptions } from "../../../runtime/http/node/index.js";
import { ACCEPT, answerIn, EventReader, initialize, RawClient, tool } from "./serve.js";
import { ToyServer } from "./toy-server.js";

async function listening(options: HttpHandlerOptions = {}, listenOptions: ListenOptions = {}) {
  const toy = new ToyServer();
  const handler = createHttpHandler(toy.server, { onerror: () => {}, ...options });
  const served = await listen(handler, listenOptions);
  onTestFinished(() => served.close(0));
  const reached = {
    name: "node",
    handler,
    url: served.url,
    fetch: (init?: RequestInit) => fetch(served.url, init),
  };
  return { toy, handler, ...served, client: new RawClient(reached) };
}

/** A connection that can send bytes no HTTP client would send. */
class RawSocket {
  readonly socket: Socket;
  text = "";
  readonly closed: Promise<void>;

  constructor(port: number) {
    this.socket = connect(port, "127.0.0.1");
    this.socket.setEncoding("utf8");
    this.socket.on("data", (chunk: string) => (this.text += chunk));
    this.socket.on("error", () => {});
    this.closed = new Promise((resolve) => this.socket.on("close", () => resolve()));
    onTestFinished(() => void this.socket.destroy());
  }

  write(text: string): this {
    this.socket.write(text);
    return this;
  }

  statuses(): number[] {
    return [...this.text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
  }
}

const head = (fields: string) =>
  `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: ${ACCEPT}\r\n${fields}\r\n\r\n`;
const body = JSON.stringify(initialize("2025-06-18"));

describe("bodies on a socket", () => {
  it("are refused before they arrive if the announced length is too long (H06)", async () => {
    const { port } = await listening();
    const socket = new RawSocket(port).write(head("Content-Length: 1000000000"));
    await expect.poll(() => socket.statuses()).toEqual([413]);
  });

  it("are cut off at the limit if they arrive in endless chunks (H06)", async () => {
    const { port, client } = await listening({ maxBodyBytes: 100_000 });
    const socket = new RawSocket(port).write(head("Transfer-Encoding: chunked"));
    const chunk = `10000\r\n${"x".repeat(0x10000)}\r\n`;
    const flood = setInterval(() => socket.write(chunk), 1);
    onTestFinished(() => clearInterval(flood));
    await expect.poll(() => socket.statuses()).toEqual([413]);
    expect(socket.text).toMatch(/connection: close/i);
    await socket.closed;
    expect((await client.post(initialize("2025-06-18"))).status).toBe(200);
  });

  it("are refused if they are shorter or longer than announced (H06, H07)", async () => {
    const { port, client } = await listening({}, { requestTimeout: 1000, headersTimeout: 500 });
    const short = new RawSocket(port).write(head(`Content-Length: ${body.length + 10}`) + body);
    const long = new RawSocket(port).write(
      head(`Content-Length: ${body.length}`) + body + "garbage\r\n\r\n",
    );
    await expect.poll(() => long.statuses().at(-1)).toBe(400);
    await short.closed;
    expect(short.statuses()).toEqual([408]);
    expect((await client.post(initialize("2025-06-18"))).status).toBe(200);
  });

  it("leave no state when they break off", async () => {
    const { port, handler, client } = await listening();
    const socket = new RawSocket(port).write(head("Content-Length: 500") + body);
    await new Promise((resolve) => setTimeout(resolve, 20));
    socket.socket.destroy();
    await socket.closed;
    expect((await client.post(initialize("2025-06-18"))).status).toBe(200);
    expect(handler.sessions).toBe(1);
  });

  it("leave no state when they break off before they are read", async () => {
    let admit!: (identity: "anonymous") => void;
    const authenticate = () => new Promise<"anonymous">((resolve) => (admit = resolve));
    const handler = createHttpHandler(new ToyServer().server, { authenticate });
    let dispatched: Promise<unknown> | undefined;
    const handle = (exchange: Parameters<typeof handler.handle>[0]): void => {
      dispatched = Promise.resolve(handler.handle(exchange));
    };
    const endpoint = { sessions: 0, handle, close: () => handler.close(0) };
    const { port, close } = await listen(endpoint);
    onTestFinished(() => close(0));
    const gone = new RawSocket(port).write(
      "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" +
        `Accept: ${ACCEPT}\r\nContent-Length: 100\r\n\r\n{`,
    );
    await expect.poll(() => admit).toBeDefined();
    gone.socket.destroy();
    await gone.closed;
    await new Promise((resolve) => setTimeout(resolve, 50));
    admit("anonymous");
    await dispatched;
    expect(handler.counts).toMatchObject({ readingBytes: 0, requests: 0 });
  });

  it("may be split anywhere, also within a character (F04)", async () => {
    const { client, url } = await listening();
    await client.initialize("2025-06-18");
    const bytes = Buffer.from(JSON.stringify(tool(1, "echo", { text: "Zoë 🎈" })));
    const answer = await new Promise<string>((resolve, reject) => {
      const headers = { ...client.headers, "Content-Type": "application/json", Accept: ACCEPT };
      const request = httpRequest(url, { method: "POST", headers }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
        response.on("end", () => resolve(text));
      });
      request.on("error", reject);
      void (async () => {
        for (const byte of bytes) {
          request.write(Buffer.of(byte));
          await new Promise(setImmediate);
        }
        request.end();
      })();
    });
    expect(answer).toContain("Zoë 🎈");
  });

  it("are awaited with Expect: 100-continue (H24)", async () => {
    const { port } = await listening();
    const socket = new RawSocket(port).write(
      head(`Expect: 100-continue\r\nContent-Length: ${body.length}`),
    );
    await expect.poll(() => socket.statuses()).toEqual([100]);
    socket.write(body);
    await expect.poll(() => socket.statuses()).toEqual([100, 200]);
  });

  it.each([
    [403, "Content-Length: 20\r\nOrigin: http://evil.example"],
    [413, "Content-Length: 100000000"],
  ])(
    "are not awaited for a refusal: %i comes without 100 and closes the connection (H24)",
    async (status, fields) => {
      const { port } = await listening();
      const socket = new RawSocket(port).write(head(`Expect: 100-continue\r\n${fields}`));
      await expect.poll(() => socket.statuses()).toEqual([status]);
      expect(socket.text).toMatch(/connection: close/i);
      await socket.closed;
      expect(socket.statuses()).toEqual([status]);
    },
  );
});

describe("connections", () => {
  it("end if their headers arrive too slowly (H07)", async () => {
    const { port } = await listening({}, { headersTimeout: 200, requestTimeout: 400 });
    const socket = new RawSocket(port).write("POST /mcp HTTP/1.1\r\nHost: loc");
    await socket.closed;
    expect(socket.statuses()).toEqual([408]);
  });

  it("stay open after a refusal (H24)", async () => {
    const { port } = await listening();
    const good = head(`Content-Length: ${body.length}`) + body;
    const bad = head("Content-Length: 1\r\nOrigin: http://evil.example") + "{";
    const socket = new RawSocket(port).write(good + bad + good + bad + good);
    await expect.poll(() => socket.statuses()).toEqual([200, 403, 200, 403, 200]);
  });

  it("stay open after unknown methods (H24)", async () => {
    const { port } = await listening();
    const socket = new RawSocket(port);
    for (const method of ["TRACE", "PUT", "HEAD"]) {
      socket.write(`${method} /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    }
    await expect.poll(() => socket.statuses()).toEqual([405, 405, 405]);
    expect(socket.text.match(/Allow: GET, POST, DELETE, OPTIONS/gi)).toHaveLength(3);
  });

  it("end if the client does not read its stream (H07)", async () => {
    const errors: Error[] = [];
    const onerror = (error: Error) => void errors.push(error);
    const options = { maxWaitingBytes: 100_000, eventStore: null, onerror };
    const { port, toy, client } = await listening(options);
    await client.initialize("2025-06-18");
    const id = client.headers["Mcp-Session-Id"]!;
    const socket = new RawSocket(port);
    socket.socket.pause();
    socket.write(
      `GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nMcp-Session-Id: ${id}\r\n\r\n`,
    );
    const [session] = toy.server.sessions;
    const notify = session!.notify.bind(session) as unknown as (m: string, p: object) => unknown;
    const data = "x".repeat(200_000);
    for (let count = 0; count < 1000 && errors.length === 0; count++) {
      void notify("notifications/message", { level: "info", data });
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    expect(errors.map(({ message }) => message)).toEqual([
      expect.stringMatching(/does not read its response: \d+ bytes .*maxWaitingBytes/),
    ]);
    socket.socket.resume();
    await socket.closed;
    expect(await client.call(1, "ping")).toMatchObject({ result: {} });
  });
});

describe("listen()", () => {
  it("listens on the local machine only, at one path (HTTP-04, SEC-03, SHTTP-03)", async () => {
    const { server, url, port } = await listening();
    expect(server.address()).toMatchObject({ address: "127.0.0.1", port });
    expect(url).toBe(`http://127.0.0.1:${port}/mcp`);
    const elsewhere = await fetch(url.replace("/mcp", "/other"));
    expect(elsewhere.status).toBe(404);
    expect(await elsewhere.text()).toContain("MCP is served at /mcp");
    expect((await fetch(`${url}?x=1`)).status).toBe(400);
  });

  it("listens at the given address, also on [::1]", async () => {
    const { url } = await listening({}, { host: "::1", path: "/x" });
    expect(url).toMatch(/^http:\/\/\[::1\]:\d+\/x$/);
    expect((await fetch(url)).status).toBe(400);
  });

  it.each(["mcp", "", "/mcp?x", "/m c p"])("refuses the path %j", async (path) => {
    await expect(listening({}, { path })).rejects.toThrow(TypeError);
  });

  it("reports a port that is in use", async () => {
    const { port, handler } = await listening();
    await expect(listen(handler, { port })).rejects.toMatchObject({
      code: "EADDRINUSE",
      message: `Port ${port} is in use at 127.0.0.1: choose another one`,
    });
  });

  it("closes in order: no new connections, responses to pending requests, streams ended (P04)", async () => {
    const { client, toy, close, url } = await listening();
    await client.initialize("2025-11-25");
    const stream = new EventReader(await client.get());
    const running = client.post(tool(1, "wait"));
    await expect.poll(() => toy.called).toEqual(["wait"]);
    const closed = close(5000);
    await expect(fetch(url)).rejects.toThrow();
    toy.gate.open();
    expect((await (await running).json()).result.content[0].text).toBe("waited");
    await closed;
    expect((await stream.rest()).filter(({ data }) => data)).toEqual([]);
  });

  it("closes within a limited time (P04)", async () => {
    const { client, toy, close } = await listening();
    await client.initialize("2025-11-25");
    const running = client.post(tool(1, "wait"));
    await expect.poll(() => toy.called).toEqual(["wait"]);
    await close(20);
    expect(await answerIn(await running)).toMatchObject({ id: 1, error: { code: -32603 } });
    expect(toy.aborted).toEqual(["tools/call"]);
  });
});
