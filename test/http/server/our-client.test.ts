import { describe, expect, it, onTestFinished } from "vitest";
import { ClientBase } from "../../../runtime/engine/index.js";
import { HttpClientTransport, SseClientTransport } from "../../../runtime/http/client/index.js";
import {
  createHttpHandler,
  createSseHandler,
  type HttpHandlerOptions,
} from "../../../runtime/http/server/index.js";
import { listen } from "../../../runtime/http/node/index.js";
import { clientHandshake } from "../../../runtime/session/index.js";
import { IDS, REVISIONS, ToyServer } from "./toy-server.js";

interface Calls {
  "tools/call": {
    params: { name: string; arguments?: object };
    result: { content: { text: string }[] };
  };
  ping: { params: undefined; result: object };
}

function makeClient(revision: string, logged: unknown[] = []) {
  const client = new ClientBase<Calls, object, object, { name: string; version: string }>(
    [REVISIONS[revision]!],
    { name: "ours", version: "1" },
    {
      "roots/list": () => ({ roots: [] }),
      "notifications/message": ({ data }: { data: unknown }) => void logged.push(data),
    },
    { onerror: () => {} },
    clientHandshake,
  );
  onTestFinished(() => client.close());
  return client;
}

async function serving(options: HttpHandlerOptions = {}) {
  const toy = new ToyServer();
  const http = createHttpHandler(toy.server, { onerror: () => {}, ...options });
  const sse = createSseHandler(toy.server, { onerror: () => {} });
  const { url, close } = await listen({ "/mcp": http, "/sse": sse, "/messages": sse });
  onTestFinished(() => close(0));
  return { toy, http, sse, url };
}

const textOf = ({ content }: { content: { text: string }[] }) => content[0]!.text;

describe.each(IDS)("our client and our server over Streamable HTTP at %s", (revision) => {
  it.each([
    ["JSON or streams", {}],
    ["JSON only", { responses: "json" }],
    ["no event store", { eventStore: null }],
  ] as const)("work with responses as %s", async (_, options) => {
    const { toy, http, url } = await serving(options);
    const logged: unknown[] = [];
    const client = makeClient(revision, logged);
    await client.connect(new HttpClientTransport(url));
    expect(client.revision).toBe(revision);
    const echoed = await client.request("tools/call", { name: "echo", arguments: { text: "hi" } });
    expect(textOf(echoed)).toBe("hi");
    await expect
      .poll(async () => textOf(await client.request("tools/call", { name: "ask" })))
      .toBe('{"roots":[]}');
    const progress: number[] = [];
    const call = { name: "progress", arguments: { count: 3 } };
    await client.request("tools/call", call, {
      onprogress: (notifications) => progress.push(notifications.progress),
    });
    await expect.poll(() => progress).toEqual([1, 2, 3]);
    const announce = toy.server.notify.bind(toy.server) as unknown as (
      m: string,
      p: object,
    ) => void;
    announce("notifications/message", { level: "info", data: "all" });
    await expect.poll(() => logged).toContain("all");
    const aborted = new AbortController();
    const waiting = client.request("tools/call", { name: "wait" }, { signal: aborted.signal });
    await expect.poll(() => toy.called).toContain("wait");
    aborted.abort();
    await expect(waiting).rejects.toThrow();
    await expect.poll(() => toy.aborted).toEqual(["tools/call"]);
    await client.close();
    await expect.poll(() => http.sessions).toBe(0);
  });

  it("work without sessions", async () => {
    const { url } = await serving({ sessions: false });
    const client = makeClient(revision);
    await client.connect(new HttpClientTransport(url));
    const echoed = await client.request("tools/call", { name: "echo", arguments: { text: "hi" } });
    expect(textOf(echoed)).toBe("hi");
  });

  it("work with polling, where the revision has it (POLL-02, POLL-04)", async () => {
    const { url, toy } = await serving();
    const logged: unknown[] = [];
    const client = makeClient(revision, logged);
    await client.connect(new HttpClientTransport(url));
    setTimeout(() => toy.gate.open(), 150);
    expect(textOf(await client.request("tools/call", { name: "release" }))).toBe("released");
    expect(logged).toEqual(["while you were away"]);
  });
});

describe("our client and our server over HTTP+SSE", () => {
  it.each([SseClientTransport, HttpClientTransport])("work with %o", async (Transport) => {
    const { url, sse } = await serving();
    const client = makeClient("2024-11-05");
    await client.connect(new Transport(url.replace("/mcp", "/sse")));
    expect(textOf(await client.request("tools/call", { name: "ask" }))).toBe('{"roots":[]}');
    expect(sse.sessions).toBe(1);
    await client.close();
    await expect.poll(() => sse.sessions).toBe(0);
  });
});
