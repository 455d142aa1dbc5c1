import { type ClientRequest, type IncomingMessage, request as httpRequest } from "node:http";
import { expect, test } from "vitest";
import { tool, until } from "./support/calls.js";
import { ask, fieldsOf, read, request } from "./support/raw-http.js";
import { serveBoth } from "./support/served.js";

const SIZE = 400_000;

/** Starts a request with a large body and sends all but the end of it. */
function started(url: string): { outgoing: ClientRequest; finish: () => Promise<IncomingMessage> } {
  const body = request("tools/call", { ...tool("echo"), pad: "x".repeat(SIZE) });
  const text = JSON.stringify(body);
  const outgoing = httpRequest(url, {
    method: "POST",
    headers: Object.fromEntries(fieldsOf(body)),
  });
  const response = new Promise<IncomingMessage>((resolve) => outgoing.on("response", resolve));
  outgoing.on("error", () => {});
  outgoing.write(text.slice(0, -10));
  return { outgoing, finish: () => (outgoing.end(text.slice(-10)), response) };
}

/**
 * Repeats a request until the response has the wanted status, because the server may not have read other requests'
 * bodies yet.
 */
async function statusUntil(url: string, wanted: number): Promise<number> {
  let status = 0;
  for (let turn = 0; turn < 50 && status !== wanted; turn++) {
    status = (await read(await started(url).finish())).status;
  }
  return status;
}

test("slow bodies count towards the memory limit of bodies being read (H06, H07)", async () => {
  const { url } = await serveBoth({ maxBytesUnderWay: 2.5 * SIZE });
  const slow = [started(url), started(url)];
  for (const { outgoing } of slow) await until(() => outgoing.writableLength === 0);
  expect(await statusUntil(url, 503)).toBe(503);
  expect((await ask(url, "tools/call", tool("echo"))).status).toBe(200);
  expect((await slow[0]!.finish()).statusCode).toBe(200);
  slow[1]!.outgoing.destroy();
  expect(await statusUntil(url, 200)).toBe(200);
});

test("slow bodies of web-standard requests count towards it as well (H06)", async () => {
  const { handler } = await serveBoth({ maxBytesUnderWay: 2.5 * SIZE });
  const body = request("tools/call", { ...tool("echo"), pad: "x".repeat(SIZE) });
  const bytes = new TextEncoder().encode(JSON.stringify(body));
  const ends: (() => void)[] = [];
  const send = (isHeld: boolean): Promise<Response> => {
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(bytes);
        const end = (): void => controller.close();
        if (isHeld) ends.push(end);
        else end();
      },
    });
    const init = { method: "POST", headers: Object.fromEntries(fieldsOf(body)), body: stream };
    return handler(new Request("http://localhost/mcp", { ...init, duplex: "half" } as RequestInit));
  };
  const slow = [send(true), send(true)];
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect((await send(false)).status).toBe(503);
  for (const end of ends) end();
  expect((await Promise.all(slow)).map(({ status }) => status)).toEqual([200, 200]);
  expect((await send(false)).status).toBe(200);
});
