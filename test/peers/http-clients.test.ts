import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { knowledgeOf } from "../behaviour/support/knows.js";
import { packages } from "../behaviour/support/packages.js";
import { until } from "../behaviour/support/until.js";
import {
  type Connected,
  connectV1,
  connectV2,
  type ToolResult,
  type WireName,
} from "./support/official-clients.js";
import { OurHttpServer } from "./support/our-http-server.js";
import { itWhere } from "../support/conditional.js";

const wires: { wire: WireName; how: string; options: { responses?: "json" } }[] = [
  { wire: "Streamable HTTP", how: "as it comes", options: {} },
  { wire: "Streamable HTTP", how: "as JSON only", options: { responses: "json" } },
  { wire: "HTTP+SSE", how: "on its stream", options: {} },
];
const cases = [
  { sdk: "sdk 1.32", connect: connectV1 },
  { sdk: "sdk 2.4", connect: connectV2 },
].flatMap((peer) =>
  wires.flatMap((wire) =>
    packages.map((from) => ({ ...peer, ...wire, from, revision: from.revision.id })),
  ),
);

describe.each(cases)(
  "a client on $sdk and our server of $revision over $wire, $how",
  ({ connect, wire, options, from }) => {
    const knows = knowledgeOf(from);
    const server = new OurHttpServer(from, options);
    let peer: Connected;

    beforeAll(async () => {
      await server.listen();
      peer = await connect(server.address(wire === "HTTP+SSE" ? "sse" : "mcp"), wire);
      const isReceived = async () =>
        (await text("ask", { method: "ping", unrelated: true })) === ok;
      const ok = '{"result":{}}';
      await until("a message of the server", isReceived);
    });
    afterEach(() => expect(server.serving.violations.splice(0)).toEqual([]));
    afterAll(async () => {
      await peer.client.close();
      await server.close();
    });

    const call = (name: string, args: object = {}, more = {}): Promise<ToolResult> =>
      peer.client.callTool({ name, arguments: args }, more);
    const text = async (...given: Parameters<typeof call>): Promise<string> =>
      (await call(...given)).content[0]!.text!;
    const json = async (...given: Parameters<typeof call>) => JSON.parse(await text(...given));

    /** Breaks all connections when a call is halfway done. */
    const dropAtTwo = ({ progress }: { progress: number }): void => {
      if (progress === 2) server.drop();
    };

    it("receives version, capabilities and identity (LIFE-03)", async () => {
      expect(peer.client.getServerVersion()).toMatchObject({ name: "everything" });
      expect(peer.client.getInstructions()).toBe("Try them all.");
      expect(await peer.client.ping()).toEqual({});
    });

    it("lists and calls tools, with structured output (TOOL-02, TOOL-15, TOOL-20)", async () => {
      const { tools } = await peer.client.listTools();
      expect(tools.map(({ name }) => name)).toContain("echo");
      expect(await text("echo", { value: "héllo ✓" })).toBe("héllo ✓");
      const sum = await call("sum", { a: 1, b: 2 });
      expect(sum.structuredContent).toEqual(knows.structuredOutput ? { sum: 3 } : undefined);
      expect(await call("fail")).toMatchObject({ isError: true });
      await expect(call("none")).rejects.toMatchObject({ code: -32602 });
    });

    it("reads resources, also by template (RES-02, RES-10, RES-20)", async () => {
      const uris: string[] = [];
      for (let cursor: string | undefined = undefined, page = 0; page === 0 || cursor; page += 1) {
        const listed: Awaited<ReturnType<typeof peer.client.listResources>> =
          await peer.client.listResources(cursor === undefined ? {} : { cursor });
        uris.push(...listed.resources.map(({ uri }) => uri));
        cursor = listed.nextCursor;
      }
      expect(uris).toHaveLength(8);
      const { resourceTemplates } = await peer.client.listResourceTemplates();
      expect(resourceTemplates).toMatchObject([{ uriTemplate: "item://{shelf}/{id}" }]);
      const item = await peer.client.readResource({ uri: "item://a/1" });
      expect(item.contents).toMatchObject([{ text: '{"shelf":"a","id":"1"}' }]);
      const missing = peer.client.readResource({ uri: "note://none" });
      await expect(missing).rejects.toThrow(/Resource not found.*note:/);
    });

    it("subscribes, and receives change notifications (RES-07, TOOL-03)", async () => {
      const uri = "note://1";
      await peer.client.subscribeResource({ uri });
      await call("update", { uri });
      await call("change", { what: "tools" });
      await until(
        "both",
        () => received("updated").length === 1 && received("list_changed").length > 0,
      );
      expect(received("updated")).toMatchObject([{ params: { uri } }]);
      await peer.client.unsubscribeResource({ uri });
    });

    it("gets prompts and completions (PRM-02, COMP-03)", async () => {
      const { messages } = await peer.client.getPrompt({
        name: "greet",
        arguments: { name: "Ada" },
      });
      expect(messages).toMatchObject([{ content: { text: "Hello Ada" } }]);
      const ref = { type: "ref/resource", uri: "item://{shelf}/{id}" } as const;
      const { completion } = await peer.client.complete({
        ref,
        argument: { name: "shelf", value: "s" },
      });
      expect(completion).toMatchObject({ total: 150, hasMore: true });
    });

    it("answers requests for samples, roots and input (SAMP-02, ROOT-02, ELIC-08)", async () => {
      const content = { type: "text", text: "2 + 2?" };
      const params = { messages: [{ role: "user", content }], maxTokens: 5 };
      const tools = [{ name: "add", inputSchema: { type: "object" } }];
      const more = knows.samplingTools ? { tools } : {};
      const sampled = await json("ask", {
        method: "sampling/createMessage",
        params: { ...params, ...more },
      });
      expect(sampled.result.content.text).toBe("4");
      if (knows.samplingTools) expect(received("sampling")[0]).toMatchObject({ params: { tools } });
      const roots = await json("ask", { method: "roots/list" });
      expect(roots.result.roots).toEqual([{ uri: "file:///home/me" }]);
      const requestedSchema = { type: "object", properties: { name: { type: "string" } } };
      const form = await json("form", { message: "Who?", requestedSchema });
      if (knows.elicitation) expect(form.result.content).toEqual({ name: "Ada" });
      else expect(form.error.code).toBe("CAPABILITY");
    });

    it("opens a page on request (ELIC-22, ELIC-24)", async () => {
      const page = await json("page");
      const gated = await call("gated").catch((error: unknown) => error);
      if (!knows.urlElicitation) return expect(page.error.code).toBe("CAPABILITY");
      const { elicitationId } = page.result;
      await until("the completion", () => received("elicitation/complete").length === 1);
      expect(received("elicitation/complete")).toMatchObject([{ params: { elicitationId } }]);
      expect(gated).toMatchObject({ code: -32042 });
    });

    it("sends a notification of changed roots (ROOT-04)", async () => {
      peer.roots.push({ uri: "file:///elsewhere" });
      await peer.client.sendRootsListChanged();
      await until("the notification", async () =>
        (await text("roots-heard")).includes("elsewhere"),
      );
    });

    it("receives log messages at its level (LOG-03)", async () => {
      await peer.client.setLoggingLevel("warning");
      await call("log", { levels: ["info", "error"], related: true });
      await until("the message", () => received("notifications/message").length > 0);
      expect(received("notifications/message")).toMatchObject([{ params: { level: "error" } }]);
    });

    it("receives progress (PROG-04)", async () => {
      const seen: number[] = [];
      const onprogress = ({ progress }: { progress: number }) => void seen.push(progress);
      expect(await text("progress", { steps: 5 }, { onprogress })).toBe("done");
      expect(seen.length).toBeGreaterThan(1);
      expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    });

    it("cancels a call, which aborts the tool (CANC-01, HTTP-18)", async () => {
      const abort = new AbortController();
      const waiting = call("wait", { label: "peer" }, { signal: abort.signal });
      waiting.catch(() => {});
      await until("the start", async () => (await json("witness", { label: "peer" })).length === 1);
      abort.abort(new Error("never mind"));
      await expect(waiting).rejects.toThrow("never mind");
      const aborted = ["started", "aborted: REQUEST_CANCELLED"];
      await until("the end", async () => (await json("witness", { label: "peer" })).length === 2);
      expect(await json("witness", { label: "peer" })).toEqual(aborted);
    });

    itWhere(wire === "Streamable HTTP" && options.responses === undefined)(
      "continues after broken connections (POLL-04, HTTP-17)",
      async () => {
        expect(await text("progress", { steps: 20 }, { onprogress: dropAtTwo })).toBe("done");
        expect(await peer.client.ping()).toEqual({});
      },
    );

    itWhere(wire === "Streamable HTTP")("ends its session (SESS-08, SESS-09)", async () => {
      expect(server.http.sessions).toBe(1);
      await peer.terminateSession();
      expect(server.http.sessions).toBe(0);
    });

    function received(method: string) {
      return peer.received.filter((one) => one.method.includes(method));
    }
  },
);
