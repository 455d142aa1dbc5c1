import {
  Client,
  StreamableHTTPClientTransport,
  type StreamableHTTPClientTransportOptions,
} from "@mcp-codegen/sdk/client";
import { McpServer, WebStandardStreamableHTTPServerTransport } from "@mcp-codegen/sdk/server";
import { expect, it, onTestFinished } from "vitest";

const SERVER = new URL("http://localhost/mcp");

type Body = ReadableStreamDefaultController<Uint8Array>;

const RECONNECTION = {
  initialReconnectionDelay: 5,
  maxReconnectionDelay: 15,
  reconnectionDelayGrowFactor: 2,
  maxRetries: 2,
};

/** Connects a client to a server whose streams a test can keep, break and refuse. */
async function connected(
  options: StreamableHTTPClientTransportOptions,
  /** The responses to requests for the session's stream: a status, or a stream that is kept open. */
  answers: (number | "stream")[],
) {
  const server = new McpServer({ name: "server", version: "1.0.0" });
  server.registerTool("slow", {}, () => ({ content: [] }));
  const there = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: () => "s" });
  await server.connect(there);
  const streams: Body[] = [];
  const requests: string[] = [];
  const held = () =>
    new Response(new ReadableStream<Uint8Array>({ start: (body) => void streams.push(body) }), {
      headers: { "content-type": "text/event-stream" },
    });
  const fetch = async (url: string | URL, init?: RequestInit): Promise<Response> => {
    const request = new Request(url, init);
    const { method } = (request.method === "POST" ? await request.clone().json() : {}) as {
      method?: string;
    };
    requests.push(method ?? request.method);
    if (request.method === "GET") {
      const answer = answers.shift() ?? "stream";
      return answer === "stream" ? held() : new Response(null, { status: answer });
    }
    return method === "tools/call" ? held() : there.handleRequest(request);
  };
  const transport = new StreamableHTTPClientTransport(SERVER, {
    fetch,
    reconnectionOptions: RECONNECTION,
    ...options,
  });
  const errors: string[] = [];
  const client = new Client({ name: "client", version: "1.0.0" });
  client.onerror = ({ message }) => void errors.push(message);
  onTestFinished(() => client.close());
  await client.connect(transport);
  await expect.poll(() => requests).toContain("GET");
  const count = () => requests.filter((one) => one === "GET").length;
  return { client, fetch, requests, streams, errors, count };
}

it("an interruption is reported, and the stream is reopened", async () => {
  const { streams, errors, count } = await connected({}, []);
  await expect.poll(() => streams.length).toBe(1);
  streams[0]!.error(new Error("reset"));
  await expect.poll(count).toBe(2);
  expect(errors).toEqual(["SSE stream disconnected: Error: reset"]);
});

it("a stream is given up after the attempts of the program", async () => {
  const { streams, errors, count } = await connected({}, ["stream", 500, 503, "stream"]);
  await expect.poll(() => streams.length).toBe(1);
  streams[0]!.error(new Error("reset"));
  await expect.poll(() => errors).toContain("Maximum reconnection attempts (2) exceeded.");
  const failures = errors.filter((error) => error.startsWith("Failed to reconnect SSE stream: 50"));
  expect(failures).toHaveLength(2);
  expect(count()).toBe(3);
});

it("a scheduler decides when a stream is reopened, and learns when that is no longer needed", async () => {
  const asked: [number, number][] = [];
  const waiting: (() => void)[] = [];
  let cancelled = 0;
  const reconnectionScheduler = (reconnect: () => void, delay: number, attempts: number) => {
    asked.push([delay, attempts]);
    waiting.push(reconnect);
    return () => void (cancelled += 1);
  };
  const { client, streams, count } = await connected({ reconnectionScheduler }, ["stream", 500]);
  await expect.poll(() => streams.length).toBe(1);
  streams[0]!.error(new Error("reset"));
  await expect.poll(() => asked).toEqual([[5, 0]]);
  expect(count()).toBe(1);
  waiting[0]!();
  await expect.poll(() => asked.at(-1)).toEqual([10, 1]);
  expect(count()).toBe(2);
  waiting[1]!();
  await expect.poll(() => streams.length).toBe(2);
  streams[1]!.error(new Error("reset"));
  await expect.poll(() => asked.at(-1)).toEqual([5, 0]);
  await client.close();
  await expect.poll(() => cancelled).toBe(1);
  expect(count()).toBe(3);
});

function failing(): void {
  throw new Error("no more");
}

it("a scheduler that fails ends the stream with its error", async () => {
  const { streams, errors } = await connected({ reconnectionScheduler: failing }, []);
  await expect.poll(() => streams.length).toBe(1);
  streams[0]!.error(new Error("reset"));
  await expect.poll(() => errors.at(-1)).toContain("no more");
});

it("the interruption of a response is reported, and rejects the call if it cannot be resumed", async () => {
  const { client, streams, errors } = await connected({}, [405]);
  const calling = client.callTool({ name: "slow", arguments: {} });
  await expect.poll(() => streams.length).toBe(1);
  streams[0]!.error(new Error("reset"));
  await expect(calling).rejects.toThrow("The stream ended before the answer");
  expect(errors).toEqual(["SSE stream disconnected: Error: reset"]);
});

it("a session that another connection has opened is continued without its stream", async () => {
  const { fetch, requests, count } = await connected({}, []);
  const another = new Client({ name: "another", version: "1.0.0" });
  onTestFinished(() => another.close());
  await another.connect(new StreamableHTTPClientTransport(SERVER, { fetch, sessionId: "s" }));
  await another.ping();
  expect(requests.at(-1)).toBe("ping");
  expect(count()).toBe(1);
});
