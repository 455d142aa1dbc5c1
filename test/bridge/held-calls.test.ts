import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { RpcError } from "@mcp-codegen/runtime";
import { type HeldCall, HeldCalls } from "@mcp-codegen/bridge";
import { connect, connectInMemory, McpServer, revisions } from "@mcp-codegen/universal";

const FORM = { message: "Pay?", requestedSchema: { type: "object", properties: {} } } as const;
const stateless = revisions.filter(({ traits }) => traits.lifecycle === "discover");

/** Starts a server whose tool `pay` counts how often its work runs and sends one request to the user. */
async function stage(options: ConstructorParameters<typeof HeldCalls>[0] = {}) {
  const held = new HeldCalls(options);
  let runs = 0;
  const calls: HeldCall[] = [];
  const server = new McpServer({ name: "bank", version: "1.0.0" }, { onerror: () => {} });
  server.registerTool("pay", {}, (ctx) =>
    held.run(ctx, async (call) => {
      runs += 1;
      calls.push(call);
      call.progress(1);
      const { action } = (await call.ask("elicitation/create", FORM)) as { action: string };
      call.progress(2);
      return action;
    }),
  );
  onTestFinished(() => server.close());
  return { held, server, calls, runs: () => runs };
}

/** Connects a stateless client that receives questions instead of answering them. */
async function manual(server: McpServer) {
  const client = await connect(await connectInMemory(server), {
    revisions: stateless,
    capabilities: { elicitation: { form: {} } },
  });
  onTestFinished(() => client.close());
  const round = async (more: object = {}) =>
    (await client.request("tools/call", { name: "pay", arguments: {}, ...more } as never, {
      rounds: "manual",
    })) as { inputRequests?: object; requestState?: string; content?: unknown };
  const answer = ({ inputRequests, requestState }: Awaited<ReturnType<typeof round>>) => ({
    requestState,
    inputResponses: Object.fromEntries(
      Object.keys(inputRequests ?? {}).map((key) => [key, { action: "accept", content: {} }]),
    ),
  });
  return { round, answer };
}

afterEach(() => vi.useRealTimers());

describe("held calls", () => {
  it.each(revisions.filter(({ methods }) => methods.has("elicitation/create")).map(({ id }) => id))(
    "run once, however the revision sends input requests: %s",
    async (id) => {
      const { server, runs, held } = await stage();
      const seen: number[] = [];
      const client = await connect(await connectInMemory(server), {
        revisions: revisions.filter((one) => one.id === id),
        onElicit: () => ({ action: "accept", content: {} }),
      });
      onTestFinished(() => client.close());
      const result = await client.callTool(
        "pay",
        {},
        { onprogress: (one) => seen.push(one.progress) },
      );
      expect(result.content).toEqual([{ type: "text", text: "accept" }]);
      expect(runs()).toBe(1);
      expect(held.size).toBe(0);
      expect(seen).toEqual([1, 2]);
    },
  );

  it("accept the response of each round once", async () => {
    const { server, runs } = await stage();
    const { round, answer } = await manual(server);
    const first = await round();
    const done = await round(answer(first));
    expect(done.content).toEqual([{ type: "text", text: "accept" }]);
    await expect(round(answer(first))).rejects.toThrow("has ended");
    expect(runs()).toBe(1);
  });

  it("send an unanswered input request again", async () => {
    const { server, runs } = await stage();
    const { round, answer } = await manual(server);
    const { requestState } = await round();
    const second = await round({ requestState, inputResponses: {} });
    expect(Object.keys(second.inputRequests ?? {})).toHaveLength(1);
    expect((await round(answer(second))).content).toEqual([{ type: "text", text: "accept" }]);
    expect(runs()).toBe(1);
  });

  it("end if the client does not answer in time", async () => {
    const { server, held, calls } = await stage({ ttl: 60_000 });
    const { round, answer } = await manual(server);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true });
    const first = await round();
    expect(held.size).toBe(1);
    vi.advanceTimersByTime(60_001);
    expect(held.size).toBe(0);
    expect(calls[0]!.signal.aborted).toBe(true);
    await expect(round(answer(first))).rejects.toThrow(RpcError);
  });

  it("wait for as long as `ttl` says, however long", async () => {
    const { server, held } = await stage({ ttl: 2 ** 32 });
    const { round, answer } = await manual(server);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true });
    const first = await round();
    vi.advanceTimersByTime(86_400_000);
    expect(held.size).toBe(1);
    expect((await round(answer(first))).content).toEqual([{ type: "text", text: "accept" }]);
  });

  it("are bounded in number, and those beyond the bound are aborted", async () => {
    const { server, held, calls } = await stage({ max: 2 });
    const { round } = await manual(server);
    await round();
    await round();
    await expect(round()).rejects.toThrow("too many calls await");
    expect(held.size).toBe(2);
    expect(calls.map(({ signal }) => signal.aborted)).toEqual([false, false, true]);
  });

  it("are refused by another instance, and not repeated", async () => {
    const here = await stage();
    const there = await stage();
    const keys = { rounds: { keys: [new Uint8Array(32).fill(7)] } };
    const servers = [here, there].map(({ held }, index) => {
      const server = new McpServer(
        { name: "bank", version: "1.0.0" },
        { ...keys, onerror: () => {} },
      );
      const runs = [here, there][index]!;
      server.registerTool("pay", {}, (ctx) =>
        held.run(ctx, async (call) => {
          runs.calls.push(call);
          await call.ask("elicitation/create", FORM);
          return "paid";
        }),
      );
      onTestFinished(() => server.close());
      return server;
    });
    const first = await manual(servers[0]!);
    const second = await manual(servers[1]!);
    const question = await first.round();
    await expect(second.round(first.answer(question))).rejects.toThrow("is not repeated");
    expect([here.calls.length, there.calls.length]).toEqual([1, 0]);
  });

  it("refuse a client that cannot answer, and name the capability", async () => {
    const { server } = await stage();
    const client = await connect(await connectInMemory(server), { revisions: stateless });
    onTestFinished(() => client.close());
    await expect(client.callTool("pay")).rejects.toMatchObject({
      code: -32_021,
      data: { requiredCapabilities: { elicitation: { form: {} } } },
    });
  });

  it.each([0, 1.5, Number.NaN])("reject a bound of %s", (max) => {
    expect(() => new HeldCalls({ max })).toThrow("max must be a whole number above 0");
  });
});
