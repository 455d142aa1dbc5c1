import { describe, expect, it } from "vitest";
import { answerIn, EventReader, initialize, serve, tool, WAYS } from "./serve.js";
import { ToyServer } from "./toy-server.js";

const ping = (id: number) => ({ jsonrpc: "2.0", id, method: "ping" });
const note = { jsonrpc: "2.0", method: "notifications/roots/list_changed" };

describe.each(WAYS)("an array of messages over $way", ({ reach }) => {
  it("is answered by an array where the revision has batches (F19, BATCH-02, BATCH-06)", async () => {
    const client = await serve(new ToyServer().server, {}, reach);
    await client.initialize("2025-03-26");
    const response = await client.post([ping(1), note, tool(2, "soon"), { jsonrpc: "2.0", id: 3 }]);
    expect(response.headers.get("content-type")).toBe("application/json");
    const answers = await answerIn(response);
    expect(answers.map(({ id }: { id: unknown }) => id).toSorted()).toEqual([1, 2, 3]);
    expect(answers.find(({ id }: { id: unknown }) => id === 3).error.code).toBe(-32600);
  });

  it("gets 202 when it holds only notifications and responses (F19, BATCH-06)", async () => {
    const client = await serve(new ToyServer().server, {}, reach);
    await client.initialize("2025-03-26");
    const response = await client.post([note, { jsonrpc: "2.0", id: 77, result: {} }]);
    expect([response.status, await response.text()]).toEqual([202, ""]);
  });

  it("is answered by a stream when a message precedes the answers (BATCH-07)", async () => {
    const client = await serve(new ToyServer().server, {}, reach);
    await client.initialize("2025-03-26");
    const reader = new EventReader(await client.post([tool(1, "log"), ping(2)]));
    expect((await reader.message()).method).toBe("notifications/message");
    const answers = await reader.message();
    expect(answers.map(({ id }: { id: unknown }) => id).toSorted()).toEqual([1, 2]);
    expect(await reader.next()).toBeUndefined();
  });

  it("ends after some or all of its requests are cancelled (I09)", async () => {
    const toy = new ToyServer();
    const client = await serve(toy.server, {}, reach);
    await client.initialize("2025-03-26");
    const partly = client.post([tool(1, "wait"), ping(2)]);
    const wholly = client.post([tool(3, "wait"), tool(4, "wait")]);
    await expect.poll(() => toy.called).toHaveLength(3);
    const cancel = (requestId: number) =>
      client.post({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } });
    for (const id of [1, 3, 4]) expect((await cancel(id)).status).toBe(202);
    expect(await answerIn(await partly)).toMatchObject([{ id: 2, result: {} }]);
    expect(await answerIn(await wholly)).toBeUndefined();
  });

  it.each([
    ["empty", []],
    ["too long", Array.from({ length: 101 }, (_, id) => ping(id))],
    ["enormous", Array.from({ length: 10_000 }, (_, id) => ping(id))],
  ])("gets 400 if it is %s (F19, BATCH-11)", async (_, batch) => {
    const client = await serve(new ToyServer().server, {}, reach);
    await client.initialize("2025-03-26");
    const response = await client.post(batch);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ id: null, error: { code: -32600 } });
  });

  it("is refused as a member of another array (F19)", async () => {
    const client = await serve(new ToyServer().server, {}, reach);
    await client.initialize("2025-03-26");
    const answers = await answerIn(await client.post([[ping(1)], ping(2)]));
    expect(answers).toHaveLength(2);
    expect(answers).toContainEqual({ jsonrpc: "2.0", id: 2, result: {} });
    expect(answers).toContainEqual(expect.objectContaining({ error: expect.anything() }));
  });

  it.each([
    ["one of a single request", (id: number) => tool(id, "wait")],
    ["one of another array", (id: number) => [tool(id, "wait"), ping(90)]],
  ])("is refused when it repeats an id in flight: %s (I01, BASE-04)", async (_, first) => {
    const toy = new ToyServer();
    const client = await serve(toy.server, {}, reach);
    await client.initialize("2025-03-26");
    const waiting = client.post(first(5));
    await expect.poll(() => toy.called).toContain("wait");
    for (const again of [
      [tool(5, "echo"), ping(6)],
      [ping(6), tool(5, "echo")],
      [tool(5, "echo")],
    ]) {
      const response = await client.post(again);
      expect(response.status).toBe(400);
      expect((await response.json()).error).toMatchObject({ code: -32600, message: /in flight/ });
    }
    expect(toy.called).toEqual(["wait"]);
    toy.gate.open();
    const answer = await answerIn(await waiting);
    const answers = Array.isArray(answer) ? answer : [answer];
    expect(answers).toContainEqual(expect.objectContaining({ id: 5, result: expect.anything() }));
    expect(await client.call(5, "ping")).toMatchObject({ id: 5, result: {} });
  });

  it("cannot contain initialize (F19, BATCH-04)", async () => {
    const client = await serve(new ToyServer().server, {}, reach);
    const response = await client.post([initialize("2025-03-26")]);
    expect([response.status, response.headers.get("mcp-session-id")]).toEqual([400, null]);
    await client.initialize("2025-03-26");
    const [answer] = await answerIn(await client.post([initialize("2025-03-26", 1)]));
    expect(answer).toMatchObject({ id: 1, error: { code: -32600 } });
  });

  it.each(["2024-11-05", "2025-06-18", "2025-11-25"])(
    "gets 400 at %s (F18, BATCH-11)",
    async (revision) => {
      const client = await serve(new ToyServer().server, {}, reach);
      await client.initialize(revision);
      const response = await client.post([ping(1), ping(2)]);
      expect(response.status).toBe(400);
      const answer = await response.json();
      expect(answer.error.code).toBe(-32600);
      expect(answer.error.message).toContain("batch");
      expect("id" in answer).toBe(revision !== "2025-11-25");
    },
  );
});
