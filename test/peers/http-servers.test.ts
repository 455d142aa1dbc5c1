import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { HttpClientTransport } from "../../runtime/http/client/index.js";
import { everythingClient } from "../behaviour/client/everything-client.js";
import { knowledgeOf } from "../behaviour/support/knows.js";
import { packages } from "../behaviour/support/packages.js";
import { until } from "../behaviour/support/until.js";
import { Tap } from "../behaviour/tap/tap.js";
import { TappedTransport } from "../behaviour/tap/tapped-transport.js";
import {
  type Generation,
  type Manner,
  OfficialHttpServer,
} from "./support/official-http-server.js";
import { itWhere } from "../support/conditional.js";

const manners: { generation: Generation; manner: Manner }[] = [
  { generation: "sdk 1.32", manner: "stateful" },
  { generation: "sdk 1.32", manner: "stateful, JSON" },
  { generation: "sdk 1.32", manner: "stateless" },
  { generation: "sdk 1.32", manner: "HTTP+SSE" },
  { generation: "sdk 2.4", manner: "stateful" },
  { generation: "sdk 2.4", manner: "stateful, JSON" },
  { generation: "sdk 2.4", manner: "stateless" },
];
const cases = manners.flatMap((one) =>
  packages.map((from) => ({ ...one, from, revision: from.revision.id })),
);

describe.each(cases)(
  "the client of $revision and a server on $generation, $manner",
  ({ generation, manner, from }) => {
    const knows = knowledgeOf(from);
    const isStateful = manner !== "stateless";
    /** Official servers that answer in JSON lose the messages that belong to a request. */
    const talks = isStateful && manner !== "stateful, JSON";
    const server = new OfficialHttpServer(generation, manner);
    const tap = new Tap({ packages: [from], side: "client" });
    const { client, received, roots, errors } = everythingClient(from, { name: "me" });

    beforeAll(async () => {
      const transport = new HttpClientTransport(await server.listen(), {
        reconnect: { initialDelay: 10 },
      });
      await client.connect(new TappedTransport(transport, tap));
    });
    afterEach(() => {
      expect(tap.violations.splice(0)).toEqual([]);
      expect(errors.splice(0)).toEqual([]);
    });
    afterAll(async () => {
      await client.close();
      await server.close();
    });

    const call = (name: string, args: object = {}, options = {}) =>
      client.callTool({ name, arguments: args as never }, options);
    const text = async (...given: Parameters<typeof call>): Promise<string> =>
      ((await call(...given)).content[0] as { text: string }).text;
    const ask = async (method: string, params: object = {}) =>
      JSON.parse(await text("ask", { method, params }));

    const isReceived = (what: string) => received.some(({ method }) => method.includes(what));
    /** Breaks all connections when a call is halfway done. */
    const dropAtTwo = ({ progress }: { progress: number }): void => {
      if (progress === 2) server.drop();
    };

    it("agrees on its revision (LIFE-08)", async () => {
      expect(client.revision).toBe(from.revision.id);
      expect(client.server?.info).toMatchObject({ name: generation });
      expect(client.server?.instructions).toBe("Try them all.");
      expect(await client.ping()).toEqual({});
    });

    it("lists and calls tools (TOOL-02, TOOL-15, TOOL-23)", async () => {
      expect((await client.listTools()).tools.map(({ name }) => name)).toContain("echo");
      expect(await text("echo", { value: "héllo ✓" })).toBe("héllo ✓");
      expect(await call("fail")).toMatchObject({ isError: true });
      if (knows.structuredOutput) {
        expect((await call("sum", { a: 1, b: 2 })).structuredContent).toEqual({ sum: 3 });
      }
    });

    it("calls many tools at once (HTTP-28)", async () => {
      const values = Array.from({ length: 30 }, (_, index) => `value ${index}`);
      expect(await Promise.all(values.map((value) => text("echo", { value })))).toEqual(values);
    });

    it("reads resources, also by template (RES-02, RES-10)", async () => {
      expect((await client.listResources()).resources).toHaveLength(1);
      const { resourceTemplates } = await client.listResourceTemplates();
      expect(resourceTemplates).toMatchObject([{ uriTemplate: "item://{id}" }]);
      const { contents } = await client.readResource({ uri: "item://7" });
      expect(contents).toMatchObject([{ text: "an item" }]);
      await expect(client.readResource({ uri: "none://1" })).rejects.toMatchObject({
        name: "RpcError",
      });
    });

    it("gets prompts and completions (PRM-02, COMP-02)", async () => {
      const { messages } = await client.getPrompt({ name: "greet", arguments: { name: "Ada" } });
      expect(messages).toMatchObject([{ content: { text: "Hello Ada" } }]);
      const ref = { type: "ref/prompt", name: "greet" } as const;
      const { completion } = await client.complete({
        ref,
        argument: { name: "name", value: "Ad" },
      });
      expect(completion.values).toEqual(["Ada", "Adele"]);
    });

    itWhere(isStateful)("subscribes, and receives updates (RES-07, TOOL-03)", async () => {
      const uri = "note://1";
      await client.subscribe({ uri });
      await until("the update", async () => {
        await call("update", { uri });
        return isReceived("updated");
      });
      await call("change");
      await until("the change", () => isReceived("tools/list_changed"));
      await client.unsubscribe({ uri });
    });

    itWhere(talks)(
      "answers requests for samples, roots and input (SAMP-02, ROOT-02, ELIC-08)",
      async () => {
        const content = { type: "text", text: "2 + 2?" };
        const params = { messages: [{ role: "user", content }], maxTokens: 5 };
        expect((await ask("sampling/createMessage", params)).model).toBe("adder");
        if (knows.samplingTools) {
          const tools = [{ name: "add", inputSchema: { type: "object" } }];
          expect((await ask("sampling/createMessage", { ...params, tools })).model).toBe("adder");
          expect(received.at(-1)?.params).toMatchObject({ tools });
        }
        expect(await ask("roots/list")).toMatchObject({ roots: [{ uri: "file:///me" }] });
        const requestedSchema = { type: "object", properties: { name: { type: "string" } } };
        if (!knows.elicitation) return;
        const form = await ask("elicitation/create", { message: "Who?", requestedSchema });
        expect(form).toMatchObject({ action: "accept", content: { name: "Ada" } });
      },
    );

    itWhere(talks && knows.urlElicitation)(
      "opens a page on request (ELIC-22, ELIC-23)",
      async () => {
        const elicitationId = "page 1";
        const page = { mode: "url", message: "Go", url: "https://example.com/a", elicitationId };
        expect(await ask("elicitation/create", page)).toMatchObject({ action: "accept" });
        const complete = "notifications/elicitation/complete";
        await call("tell", { method: complete, params: { elicitationId } });
        await until("the completion", () => received.some(({ method }) => method === "complete"));
      },
    );

    itWhere(isStateful)("sends a notification of changed roots (ROOT-04)", async () => {
      roots.set([{ uri: "file:///elsewhere" }]);
      await until("the notification", async () => (await text("roots-heard")) === "1");
    });

    itWhere(talks)("receives log messages (LOG-02)", async () => {
      await client.setLevel({ level: "debug" });
      const params = { level: "info", data: "from the tool" };
      await call("tell", { method: "notifications/message", params });
      await until("the message", () => received.some((one) => one.method.endsWith("/message")));
    });

    itWhere(manner !== "stateful, JSON")("receives progress (PROG-04)", async () => {
      const seen: number[] = [];
      const onprogress = ({ progress }: { progress: number }) => void seen.push(progress);
      expect(await text("progress", { steps: 3 }, { onprogress })).toBe("done");
      expect(seen).toEqual([1, 2, 3]);
    });

    it("cancels a call and continues (CANC-01, HTTP-18)", async () => {
      const abort = new AbortController();
      const waiting = call("wait", {}, { signal: abort.signal });
      abort.abort(new Error("never mind"));
      await expect(waiting).rejects.toThrow("never mind");
      expect(await client.ping()).toEqual({});
    });

    itWhere(manner === "stateful")("continues after broken connections (POLL-04)", async () => {
      expect(await text("progress", { steps: 6 }, { onprogress: dropAtTwo })).toBe("done");
      expect(await client.ping()).toEqual({});
      errors.length = 0;
    });

    itWhere(isStateful)("ends its session (SESS-08, SSE-08)", async () => {
      expect(server.ended).toHaveLength(0);
      await client.close();
      await until("the end", () => server.ended.length === 1);
    });
  },
);
