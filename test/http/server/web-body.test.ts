import { createAdaptorServer } from "@hono/node-server";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  createHttpHandler,
  type HttpHandler,
  type HttpHandlerOptions,
} from "../../../runtime/http/server/index.js";
import { ACCEPT, initialize } from "./serve.js";
import { ToyServer } from "./toy-server.js";

const OPENING = JSON.stringify(initialize("2025-11-25"));
const FIELDS = { "Content-Type": "application/json", Accept: ACCEPT };

function made(options: HttpHandlerOptions = {}): HttpHandler {
  const handler = createHttpHandler(new ToyServer().server, options);
  onTestFinished(() => handler.close(0));
  return handler;
}

/** Creates a request whose `Content-Length` header states the given length. */
function declared(body: RequestInit["body"], length: number | string): Request {
  const headers = { ...FIELDS, "Content-Length": String(length) };
  const init = { method: "POST", headers, body, duplex: "half" };
  return new Request("http://localhost/mcp", init as RequestInit);
}

async function codeOf(response: Response): Promise<unknown> {
  const { error } = (await response.json()) as { error?: { code: number } };
  return [response.status, error?.code];
}

describe("the body of a web-standard request with Content-Length", () => {
  it.each(["exact", "with a byte order mark"])("is read: %s", async (how) => {
    const text = how === "exact" ? OPENING : `\ufeff${OPENING}`;
    const response = await made()(declared(text, Buffer.byteLength(text)));
    expect(response.status).toBe(200);
  });

  it("is not read a second time", async () => {
    const request = declared(OPENING, OPENING.length);
    await request.text();
    expect((await made()(request)).status).toBe(500);
  });

  it("gets 400 and -32700 for invalid UTF-8 (F11)", async () => {
    const body = Buffer.from('{"jsonrpc":"2.0","id":"\xff","method":"ping"}', "latin1");
    expect(await codeOf(await made()(declared(body, body.length)))).toEqual([400, -32700]);
  });

  it.each(["x", "-1", "NaN", "1e999"])(
    "is measured, whatever Content-Length says: %s",
    async (length) => {
      const response = await made()(declared(OPENING, length));
      expect(response.status).toBe(length === "1e999" ? 413 : 200);
    },
  );

  it("gets 413 if it is longer than allowed, whatever Content-Length says (H06)", async () => {
    const handler = made({ maxBodyBytes: 1000 });
    const text = OPENING.padEnd(1001);
    expect((await handler(declared(text, 1001))).status).toBe(413);
    expect((await handler(declared(text, 10))).status).toBe(413);
    expect((await handler(declared(OPENING, OPENING.length))).status).toBe(200);
  });

  it("counts towards all bodies being read, even before it arrives (H06)", async () => {
    const handler = made({ maxBytesUnderWay: 25_000 });
    const breakOff: (() => void)[] = [];
    const slow = (): Promise<Response> => {
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => void breakOff.push(() => controller.error(new Error("gone"))),
      });
      return handler(declared(body, 10_000));
    };
    const first = slow();
    void slow();
    expect((await handler(declared(OPENING.padEnd(10_000), 10_000))).status).toBe(503);
    breakOff[0]!();
    expect((await first).status).toBe(400);
    expect((await handler(declared(OPENING.padEnd(10_000), 10_000))).status).toBe(200);
  });
});

it("a body is read through an adapter for Node", async () => {
  const handler = made();
  const server = createAdaptorServer({ fetch: (request) => handler(request) });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  const post = (body: string): Promise<Response> =>
    fetch(`http://127.0.0.1:${port}/`, { method: "POST", headers: FIELDS, body });
  for (const size of [0, 20_000]) {
    const response = await post(OPENING.padEnd(size));
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('"protocolVersion":"2025-11-25"');
  }
});
