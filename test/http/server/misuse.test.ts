import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, createConnection } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  createHttpHandler,
  createRouter,
  createSseHandler,
} from "../../../runtime/http/server/index.js";
import { listen } from "../../../runtime/http/node/index.js";
import { ACCEPT, initialize, overNode, overWeb, RawClient } from "./serve.js";
import { ToyServer } from "./toy-server.js";

const { server } = new ToyServer();

describe("a handler that is called without its adapter", () => {
  const handler = createHttpHandler(server);
  const advice = /needs a web Request: wrap it with expressRoute\(\), honoRoute\(\) or toNodeLis/;

  it("explains the mistake to a caller without a Request", async () => {
    const honoContext = { req: { raw: new Request("http://localhost/mcp") } };
    for (const argument of [undefined, {}, honoContext]) {
      await expect(handler(argument as unknown as Request)).rejects.toThrow(advice);
    }
  });

  it("answers 500 through Node's response, so that the client does not hang", async () => {
    const errors: unknown[] = [];
    const bare = handler as unknown as (...given: Parameters<RequestListener>) => Promise<unknown>;
    const http = createServer((request, response) => {
      bare(request, response).catch((error: unknown) => errors.push(error));
    });
    await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void http.close());
    const response = await fetch(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`);
    expect(response.status).toBe(500);
    expect(errors).toEqual([expect.objectContaining({ message: expect.stringMatching(advice) })]);
  });
});

const bad = (value: unknown) => value as never;

describe("a mistake at start-up is reported", () => {
  it("for a function in place of the server", () => {
    expect(() => createHttpHandler(bad(() => server))).toThrow(
      /needs a server, not a function that creates/,
    );
    expect(() => createSseHandler(bad(undefined))).toThrow(TypeError);
  });

  it("for a server in place of its handler", async () => {
    await expect(listen(bad(server))).rejects.toThrow(/needs a handler.*createHttpHandler/);
    await expect(listen(bad({}))).rejects.toThrow(TypeError);
    expect(() => createRouter({ "/mcp": bad(server) })).toThrow(/\/mcp must be a handler/);
  });

  it("for a path without a slash", async () => {
    await expect(listen(createHttpHandler(server), { path: "mcp" })).rejects.toThrow(
      'path: "mcp" is not a path such as "/mcp"',
    );
  });

  it("for a wildcard or a string in place of a list", () => {
    for (const option of ["allowedHosts", "allowedOrigins"]) {
      expect(() => createHttpHandler(server, { [option]: ["*"] })).toThrow(/"any"/);
      expect(() => createHttpHandler(server, { [option]: "example.com" })).toThrow(
        /must be a list, or "any"/,
      );
    }
  });
});

describe.each([
  { way: "node", reach: overNode },
  { way: "web", reach: overWeb },
])("a refused origin over $way", ({ reach }) => {
  it("is reported once with the option that allows it, within bounds", async () => {
    const errors: string[] = [];
    const onerror = ({ message }: Error) => void errors.push(message);
    const client = new RawClient(await reach(createHttpHandler(server, { onerror })));
    const ask = async (origin: string) => {
      const response = await client.post(initialize("2025-11-25"), { Origin: origin });
      expect(response.status).toBe(403);
    };
    await ask("https://app.example.com");
    await ask("https://app.example.com");
    expect(errors).toEqual([
      expect.stringMatching(/"https:\/\/app\.example\.com".*name it in `allowedOrigins`/),
    ]);
    for (let count = 0; count < 100; count++) await ask(`https://${count}.example.com`);
    expect(errors.length).toBeLessThan(50);
  });
});

it("a request with two Host headers is refused with 400, whatever their values", async () => {
  const { url } = await overNode(createHttpHandler(server));
  const { port } = new URL(url);
  const body = JSON.stringify(initialize("2025-11-25"));
  const text = await new Promise<string>((resolve, reject) => {
    const socket = createConnection(Number(port), "127.0.0.1");
    let received = "";
    socket.on("data", (chunk) => (received += chunk)).on("error", reject);
    socket.on("close", () => resolve(received));
    socket.write(
      `POST /mcp HTTP/1.1\r\nHost: localhost\r\nhost: evil.example\r\nConnection: close\r\n` +
        `Content-Type: application/json\r\nAccept: ${ACCEPT}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
  });
  expect(text).toMatch(/^HTTP\/1\.1 400 /);
});
