import { afterEach, describe, expect, it } from "vitest";
import { RpcError } from "../../runtime/wire/errors.js";
import { namesCapability } from "../../runtime/wire/revision/capabilities.js";
import { Sampling, UserRejectedError } from "../../runtime/features/index.js";
import {
  connected,
  type Connected,
  handshakes,
  type Package,
  rawServerOf,
  settled,
} from "./support/revisions.js";

const METHOD = "sampling/createMessage";
const text = (value: string) => ({ type: "text", text: value });
const say = (role: string, content: unknown) => ({ role, content });
const use = (id: string) => ({ type: "tool_use", id, name: "t", input: {} });
const result = (id: string) => ({ type: "tool_result", toolUseId: id, content: [] });
const answer = { role: "assistant", content: text("Paris"), model: "m" };

let pair: Connected | undefined;

afterEach(async () => {
  expect(pair?.traffic.problems ?? []).toEqual([]);
  await pair?.client.close();
  pair = undefined;
});

const ask = (messages: unknown[], more: object = {}) =>
  pair!.server.request(METHOD, { messages, maxTokens: 10, ...more });

const hasTools = ({ revision }: Package) => namesCapability(revision, "client.sampling.tools");

describe.each(handshakes)("sampling under %s", (_id, pinned) => {
  it("declares sampling, and passes on requests and responses (SAMP-01, SAMP-03, SAMP-04)", async () => {
    const requested: unknown[] = [];
    const sampling = new Sampling((params) => {
      requested.push(params);
      return answer;
    });
    pair = await connected(pinned, {}, { features: [sampling] });
    expect(pair.server.client!.capabilities).toEqual({ sampling: {} });
    await settled();
    expect(await ask([say("user", text("Capital of France?"))])).toEqual(answer);
    expect(requested).toEqual([
      { messages: [say("user", text("Capital of France?"))], maxTokens: 10 },
    ]);
  });

  it("declares tools and context if the revision has them", async () => {
    const sampling = new Sampling(() => answer, { tools: true, context: true });
    pair = await connected(pinned, {}, { features: [sampling] });
    const declared = hasTools(pinned) ? { tools: {}, context: {} } : {};
    expect(pair.server.client!.capabilities).toEqual({ sampling: declared });
    await settled();
    if (!hasTools(pinned)) return;
    const tools = [{ name: "t", inputSchema: { type: "object" } }];
    expect(await ask([say("user", text("?"))], { tools })).toEqual(answer);
  });

  it("requests context of servers only if the client declared it (SAMP-09)", async () => {
    for (const context of [false, true]) {
      pair = await connected(pinned, {}, { features: [new Sampling(() => answer, { context })] });
      await settled();
      const asking = (includeContext: string) => ask([say("user", text("?"))], { includeContext });
      expect(await asking("none")).toEqual(answer);
      const isRefused = hasTools(pinned) && !context;
      if (isRefused) await expect(asking("thisServer")).rejects.toThrow(/client.sampling.context/);
      else expect(await asking("thisServer")).toEqual(answer);
    }
  });

  it("reports the refusal of the user in the form of the revision (SAMP-14)", async () => {
    const sampling = new Sampling(() => {
      throw new UserRejectedError("No");
    });
    pair = await connected(pinned, {}, { features: [sampling] });
    await settled();
    const refused = ask([say("user", text("?"))]);
    await expect(refused).rejects.toMatchObject({ name: "RpcError", code: -1, message: "No" });
    expect(pair.errors).toEqual([]);
  });

  it("passes on other errors unchanged", async () => {
    const thrown = [new RpcError(4711, "Mine"), new Error("secret")];
    const sampling = new Sampling(async () => {
      throw thrown.shift();
    });
    pair = await connected(pinned, {}, { features: [sampling] });
    await settled();
    await expect(ask([say("user", text("?"))])).rejects.toMatchObject({ code: 4711 });
    await expect(ask([say("user", text("?"))])).rejects.toMatchObject({ code: -32603 });
  });
});

describe.each(handshakes.filter(([, pinned]) => hasTools(pinned)))(
  "tools in sampling under %s",
  (_id, pinned) => {
    it("refuses undeclared tools (SAMP-08)", async () => {
      const sampling = new Sampling(() => answer);
      pair = await connected(pinned, {}, { features: [sampling] });
      await settled();
      const params = { messages: [say("user", text("?"))], maxTokens: 1, tools: [] };
      await expect(ask(params.messages, params)).rejects.toMatchObject({ code: "CAPABILITY" });
      const raw = await rawServerOf(pinned, [new Sampling(() => answer)]);
      expect(await raw.call(1, METHOD, params)).toMatchObject({ error: { code: -32602 } });
    });

    it.each([
      ["a result together with text", [say("user", [result("1"), text("x")])]],
      ["no results", [say("assistant", use("1"))]],
      [
        "no results for one of two",
        [say("assistant", [use("1"), use("2")]), say("user", result("1"))],
      ],
      ["text in place of results", [say("assistant", [use("1")]), say("user", text("x"))]],
      ["results of the assistant", [say("assistant", use("1")), say("assistant", result("1"))]],
      [
        "results that come too late",
        [say("assistant", use("1")), say("user", text("x")), say("user", result("1"))],
      ],
    ])("refuses %s (SAMP-11, SAMP-12, SAMP-13)", async (_what, messages) => {
      const sampling = new Sampling(() => answer, { tools: true });
      const options = { checkContent: false };
      pair = await connected(pinned, { options }, { features: [sampling] });
      await settled();
      await expect(ask(messages)).rejects.toMatchObject({ code: -32602 });
      await pair.client.close();

      pair = await connected(pinned, {}, { features: [sampling] });
      await settled();
      await expect(ask(messages)).rejects.toThrow(
        "sampling/createMessage was not sent: /messages/",
      );
      const sent = pair.traffic.sent.filter(({ message }) => message.method === METHOD);
      expect(sent).toEqual([]);
    });

    it("accepts tool uses with all their results (SAMP-12)", async () => {
      const sampling = new Sampling(() => answer, { tools: true });
      pair = await connected(pinned, {}, { features: [sampling] });
      await settled();
      const messages = [
        say("user", text("x")),
        say("assistant", [text("y"), use("1"), use("2")]),
        say("user", [result("2"), result("1")]),
        say("assistant", text("z")),
      ];
      expect(await ask(messages)).toEqual(answer);
    });
  },
);
