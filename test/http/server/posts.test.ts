import { describe, expect, it } from "vitest";
import { answerIn, EventReader, serve, tool, WAYS } from "./serve.js";
import { IDS, ToyServer } from "./toy-server.js";

const ada = (): { principal: string } => ({ principal: "ada" });
const failing = ({ header }: { header(name: string): string | undefined }) => {
  if (header("x-test") === "throw") throw new Error("a secret");
  return header("x-test") === "reject"
    ? Promise.reject(new Error("a secret"))
    : ("anonymous" as const);
};

const cases = WAYS.flatMap((way) => IDS.map((revision) => ({ ...way, revision })));

describe.each(cases)("POST over $way at $revision", ({ reach, revision }) => {
  it("initializes, answers and continues in one session (HTTP-01, HTTP-11, SESS-01)", async () => {
    const client = await serve(new ToyServer().server, {}, reach);
    const { result } = await client.initialize(revision);
    expect(result.protocolVersion).toBe(revision);
    expect(client.headers["Mcp-Session-Id"]).toMatch(/^[\x21-\x7e]{20,}$/);
    const answer = await client.call(1, "ping");
    expect(answer).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
    expect(client.reached.handler.sessions).toBe(1);
  });

  it("answers with JSON when no stream is needed (HTTP-11)", async () => {
    const client = await serve(new ToyServer().server, {}, reach);
    await client.initialize(revision);
    for (const name of ["echo", "soon"]) {
      const response = await client.post(tool(name, name, { text: "hi" }));
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toBe("application/json");
      const { id, result } = await answerIn(response);
      expect([id, result.content[0].text]).toEqual([name, "hi"]);
    }
  });

  it("streams messages before the response, then ends (HTTP-14, HTTP-13, HTTP-16)", async () => {
    const client = await serve(new ToyServer().server, {}, reach);
    await client.initialize(revision);
    const response = await client.post(tool(0, "progress", {}, { progressToken: "t" }));
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    expect(response.headers.get("cache-control")).toBe("no-cache, no-transform");
    expect(response.headers.get("x-accel-buffering")).toBe("no");
    const events = await new EventReader(response).rest();
    const messages = events.flatMap(({ data }) => (data ? [JSON.parse(data)] : []));
    expect(messages.slice(0, -1).map(({ params }) => params.progress)).toEqual([1, 2, 3]);
    expect(messages.at(-1)).toMatchObject({ id: 0, result: { content: [{ text: "done" }] } });
  });

  it("accepts notifications and responses with 202 and no body (HTTP-09)", async () => {
    const client = await serve(new ToyServer().server, {}, reach);
    await client.initialize(revision);
    for (const message of [
      { jsonrpc: "2.0", method: "notifications/roots/list_changed" },
      { jsonrpc: "2.0", method: "notifications/unknown" },
      { jsonrpc: "2.0", id: 999, result: {} },
      { jsonrpc: "2.0", id: 999, error: { code: 1, message: "no" } },
    ]) {
      const response = await client.post(message);
      expect(response.status).toBe(202);
      expect(await response.text()).toBe("");
    }
  });

  it("sends requests to the client on the stream of the request, and accepts the response by POST (HTTP-20)", async () => {
    const client = await serve(new ToyServer().server, {}, reach);
    await client.initialize(revision);
    const reader = new EventReader(await client.post(tool(1, "ask")));
    const requested = await reader.message();
    expect(requested.method).toBe("roots/list");
    const accepted = await client.post({ jsonrpc: "2.0", id: requested.id, result: { roots: [] } });
    expect(accepted.status).toBe(202);
    const answer = await reader.message();
    expect(answer.result.content[0].text).toBe('{"roots":[]}');
    expect(await reader.next()).toBeUndefined();
  });

  it("answers without details if a handler throws (ERR-11)", async () => {
    const toy = new ToyServer();
    const client = await serve(toy.server, {}, reach);
    await client.initialize(revision);
    const { error } = await client.call(1, "tools/call", { name: "fail" });
    expect(error).toEqual({ code: -32603, message: "Internal error" });
    expect(toy.errors).toHaveLength(1);
  });
});

describe.each(WAYS)("POST over $way", ({ reach }) => {
  it("answers concurrent requests, each on its own POST (I02, HTTP-28)", async () => {
    const toy = new ToyServer();
    const client = await serve(toy.server, {}, reach);
    await client.initialize("2025-11-25");
    const first = client.post(tool(1, "wait"));
    const second = await client.call(2, "tools/call", { name: "echo", arguments: { text: "b" } });
    expect(second.result.content[0].text).toBe("b");
    toy.gate.open();
    expect(await answerIn(await first)).toMatchObject({ id: 1 });
  });

  it("keeps equal ids of two sessions apart (I02)", async () => {
    const toy = new ToyServer();
    const first = await serve(toy.server, {}, reach);
    const second = new (first.constructor as new (r: unknown) => typeof first)(first.reached);
    await first.initialize("2025-11-25");
    await second.initialize("2025-11-25");
    expect(first.headers["Mcp-Session-Id"]).not.toBe(second.headers["Mcp-Session-Id"]);
    const waiting = first.post(tool(1, "wait"));
    const answer = await second.call(1, "tools/call", { name: "session" });
    expect(answer.result.content[0].text).toBe(second.headers["Mcp-Session-Id"]);
    toy.gate.open();
    expect((await answerIn(await waiting)).result.content[0].text).toBe("waited");
  });

  it("refuses an id that is in flight, and answers the first request on its own POST (I01)", async () => {
    const toy = new ToyServer();
    const client = await serve(toy.server, {}, reach);
    await client.initialize("2025-11-25");
    const first = client.post(tool(1, "wait"));
    await expect.poll(() => toy.called).toEqual(["wait"]);
    const second = await client.call(1, "tools/call", { name: "echo" });
    expect(second).toMatchObject({ id: 1, error: { code: -32600 } });
    toy.gate.open();
    expect((await answerIn(await first)).result.content[0].text).toBe("waited");
  });

  it("ends the POST of a request that is cancelled (I08, HTTP-18)", async () => {
    const toy = new ToyServer();
    const client = await serve(toy.server, {}, reach);
    await client.initialize("2025-11-25");
    const waiting = client.post(tool(0, "wait"));
    await expect.poll(() => toy.called).toEqual(["wait"]);
    const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 0 } };
    expect((await client.post(cancel)).status).toBe(202);
    expect(await answerIn(await waiting)).toBeUndefined();
    expect(toy.aborted).toEqual(["tools/call"]);
    expect(await client.call(0, "ping")).toMatchObject({ result: {} });
  });

  it("refuses to resume a stream that was cancelled (H16, HTTP-18)", async () => {
    const toy = new ToyServer();
    const client = await serve(toy.server, {}, reach);
    await client.initialize("2025-11-25");
    const reader = new EventReader(await client.post(tool(0, "log-and-wait")));
    await reader.message();
    const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 0 } };
    await client.post(cancel);
    const ids = (await reader.rest()).map(({ id }) => id);
    expect(ids).toEqual([]);
    const [, last] = reader.raw.match(/id: (\S+)\ndata: \{/)!;
    expect((await client.get({ "Last-Event-ID": last! })).status).toBe(400);
    const unopened = client.post(tool(1, "wait"));
    await expect.poll(() => toy.called).toContain("wait");
    await client.post({ ...cancel, params: { requestId: 1 } });
    expect(await (await unopened).text()).toBe("");
  });

  it("lets the handler finish after the client has disconnected (HTTP-17)", async () => {
    const toy = new ToyServer();
    const client = await serve(toy.server, {}, reach);
    await client.initialize("2025-11-25");
    const abort = new AbortController();
    const dropped = client.post(tool(1, "wait"), {}, { signal: abort.signal });
    await expect.poll(() => toy.called).toEqual(["wait"]);
    abort.abort();
    if (client.reached.name === "node") await expect(dropped).rejects.toThrow("abort");
    toy.gate.open();
    expect(await client.call(2, "ping")).toMatchObject({ result: {} });
    expect(toy.aborted).toEqual([]);
  });

  it("passes headers and sender to handlers (HTTP-04)", async () => {
    const client = await serve(new ToyServer().server, { authenticate: ada }, reach);
    client.headers["X-Test"] = "yes";
    await client.initialize("2025-06-18");
    const { result } = await client.call(1, "tools/call", { name: "who" });
    expect(result.content[0].text).toBe('["ada","yes"]');
  });

  it("answers 500 without details after an internal error, and continues (ERR-11)", async () => {
    const errors: Error[] = [];
    const onerror = (error: Error) => {
      errors.push(error);
      throw error;
    };
    const client = await serve(new ToyServer().server, { authenticate: failing, onerror }, reach);
    for (const how of ["throw", "reject"]) {
      const response = await client.post({}, { "X-Test": how });
      expect(response.status).toBe(500);
      expect(await response.json()).toMatchObject({
        error: { code: -32603, message: "Internal error" },
      });
    }
    expect(errors).toHaveLength(2);
    await client.initialize("2025-06-18");
  });

  it("becomes a stream with keep-alive comments if the response takes long", async () => {
    const toy = new ToyServer();
    const client = await serve(toy.server, { upgradeAfter: 30, keepAlive: 20 }, reach);
    await client.initialize("2025-06-18");
    const response = await client.post(tool(1, "wait"));
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    const reader = new EventReader(response);
    const answer = reader.message();
    await expect.poll(() => reader.raw).toContain(": \n\n");
    toy.gate.open();
    expect((await answer).result.content[0].text).toBe("waited");
  });
});

describe.each(WAYS)("responses in JSON only, over $way", ({ reach }) => {
  it("sends only the response on a POST; other messages go to the GET stream", async () => {
    const client = await serve(
      new ToyServer().server,
      { responses: "json", upgradeAfter: 10 },
      reach,
    );
    await client.initialize("2025-06-18");
    const silent = await client.post(tool(1, "progress", {}, { progressToken: 1 }));
    expect(silent.headers.get("content-type")).toBe("application/json");
    const reader = new EventReader(await client.get());
    await client.post(tool(2, "progress", { count: 1 }, { progressToken: 2 }));
    expect((await reader.message()).params).toEqual({ progressToken: 2, progress: 1 });
    await reader.cancel();
  });

  it("rejects requests to the client if there is no GET stream, so that the handler knows", async () => {
    const toy = new ToyServer();
    const client = await serve(toy.server, { responses: "json" }, reach);
    await client.initialize("2025-06-18");
    expect((await client.call(1, "tools/call", { name: "ask" })).error.code).toBe(-32603);
    expect(toy.errors[0]!.message).toContain("cannot reach the peer now");
  });
});
