import { expect, onTestFinished, test, vi } from "vitest";
import { retryAfter } from "../../../runtime/http/client/responses.js";
import { connect } from "../../facade/client/support/connecting.js";
import { answer, initialized, serve } from "./support/mcp-server.js";
import type { Handle } from "./support/raw-server.js";
import { eventually } from "../../support/eventually.js";

/** Refuses the given number of requests, then answers. */
function refusing(times: number, status: number, header: string | undefined): Handle {
  let refused = 0;
  return (seen, response) => {
    if (refused++ >= times) return answer(response, seen, { content: [] });
    if (header !== undefined) response.setHeader("Retry-After", header);
    response.writeHead(status).end("Too busy");
  };
}

async function calling(handle: Handle, options: { readonly maxRetryAfter?: number } = {}) {
  const on = {
    "server/discover": (_: unknown, response: { writeHead(status: number): { end(): void } }) =>
      response.writeHead(400).end(),
    initialize: ((seen, response) => answer(response, seen, initialized("2025-11-25"))) as Handle,
    "tools/call": handle,
  };
  const server = await serve({ on: on as never });
  const client = await connect(server.url, { http: { listen: false, ...options } });
  return { client, calls: () => server.of("tools/call").length };
}

test.each([
  [503, "0"],
  [429, " 0 "],
  [503, new Date(0).toUTCString()],
])(
  "a request that is refused with %d, and Retry-After %j, is sent again",
  async (status, header) => {
    const { client, calls } = await calling(refusing(2, status, header));
    expect(await client.callTool("x")).toMatchObject({ content: [] });
    expect(calls()).toBe(3);
  },
);

test("it is sent again three times at most", async () => {
  const { client, calls } = await calling(refusing(100, 503, "0"));
  const failure = { code: "HTTP", status: 503, retryAfter: 100 };
  await expect(client.callTool("x")).rejects.toMatchObject(failure);
  expect(calls()).toBe(4);
});

test.each<[string, number, string | undefined, object]>([
  ["no Retry-After", 503, undefined, {}],
  ["a Retry-After that is too long", 429, "3600", {}],
  ["an invalid Retry-After", 503, "soon", {}],
  ["a status that may follow completed work", 500, "0", {}],
  ["retries switched off", 503, "0", { maxRetryAfter: 0 }],
])("it is not sent again with %s", async (_, status, header, options) => {
  const { client, calls } = await calling(refusing(1, status, header), options);
  await expect(client.callTool("x")).rejects.toMatchObject({ code: "HTTP", status });
  expect(calls()).toBe(1);
});

test("a caller can abort during the wait", async () => {
  const { client, calls } = await calling(refusing(1, 503, "4"));
  const abort = new AbortController();
  const call = client.callTool("x", {}, { signal: abort.signal });
  await eventually(() => expect(calls()).toBe(1));
  abort.abort(new Error("enough"));
  await expect(call).rejects.toThrow("enough");
});

/** Returns the milliseconds that a header value requires. */
const at = (value: string): number | undefined =>
  retryAfter(new Response(null, { status: 503, headers: { "retry-after": value } }));

test("Retry-After is in seconds or a date", () => {
  expect([at("2"), at("0"), at("")]).toEqual([2000, 100, undefined]);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 6, 28) });
  onTestFinished(() => void vi.useRealTimers());
  expect(at(new Date(Date.now() + 60_000).toUTCString())).toBe(60_000);
});
