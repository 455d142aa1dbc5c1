import { expect } from "vitest";
import type { Case, OursScene } from "../../case.js";
import { INSTRUCTIONS } from "../../server/everything-server.js";
import { until } from "../../support/until.js";

/** Opening, closing, liveness, and several conversations at once. */
export const conversationCases: readonly Case<OursScene>[] = [
  {
    name: "both sides agree on the revision and receive each other's identity (LIFE-02, LIFE-03, LIFE-08)",
    run: async ({ client, from }) => {
      expect(client.revision).toBe(from.revision.id);
      expect(client.server?.info).toMatchObject({ name: "everything", version: "1.0.0" });
      expect(client.server?.instructions).toBe(INSTRUCTIONS);
    },
  },
  {
    name: "the server declares its features in the form of the revision (LIFE-19, COMP-01)",
    run: async ({ client, knows }) => {
      const { completions, ...others } = client.server!.capabilities;
      expect(completions).toEqual(knows.completionCapability ? {} : undefined);
      expect(others).toEqual({
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
        logging: {},
        ...(knows.tasks && {
          tasks: { requests: { tools: { call: {} } }, list: {}, cancel: {} },
        }),
      });
    },
  },
  {
    name: "the server knows the capabilities of the client (LIFE-19, ELIC-02)",
    needs: ["sessions"],
    run: async ({ json, knows }) => {
      const { info, capabilities } = await json("client");
      expect(info).toMatchObject({ name: "client" });
      const context = knows.samplingTools ? { tools: {}, context: {} } : {};
      expect(capabilities.roots).toEqual({ listChanged: true });
      expect(capabilities.sampling).toEqual(context);
      const modes = knows.urlElicitation ? { form: {}, url: {} } : {};
      expect(capabilities.elicitation).toEqual(knows.elicitation ? modes : undefined);
    },
  },
  {
    name: "the client pings (PING-01)",
    run: async ({ client }) => expect(await client.ping()).toEqual({}),
  },
  {
    name: "the server pings (PING-01)",
    needs: ["asks"],
    run: async ({ json }) => {
      expect(await json("ask", { method: "ping" })).toEqual({ result: {} });
      expect(await json("ask", { method: "ping", unrelated: true })).toEqual({ result: {} });
    },
  },
  {
    name: "undeclared requests are not sent (LIFE-11, LIFE-12)",
    run: async ({ elsewhere }) => {
      const { client } = await elsewhere("bare");
      await expect(client.listTools()).rejects.toMatchObject({ code: "CAPABILITY" });
      await expect(client.setLevel({ level: "info" })).rejects.toMatchObject({
        code: "CAPABILITY",
      });
      expect(await client.ping()).toEqual({});
    },
  },
  {
    name: "a client without capabilities receives no requests (LIFE-11, LIFE-12, ROOT-08)",
    needs: ["asks"],
    run: async ({ connect }) => {
      const { client } = await connect({ bare: true });
      for (const method of ["roots/list", "sampling/createMessage"]) {
        const params = { messages: [], maxTokens: 1 };
        const requested = await client.callTool({ name: "ask", arguments: { method, params } });
        expect(requested.content).toMatchObject([{ text: expect.stringContaining("CAPABILITY") }]);
      }
    },
  },
  {
    name: "concurrent sessions receive only their own messages (SESS-02, HTTP-29)",
    needs: ["sessions", "asks"],
    run: async ({ connect }) => {
      const names = ["a", "b", "c", "d"];
      const all = await Promise.all(names.map((name) => connect({ name })));
      const messages = [{ role: "user", content: { type: "text", text: "hi" } }];
      const params = { messages, maxTokens: 1 };
      const sampling = { name: "ask", arguments: { method: "sampling/createMessage", params } };
      const sampled = await Promise.all(all.map(({ client }) => client.callTool(sampling)));
      const notifications: number[][] = [];
      await Promise.all(
        all.map(({ client }, index) =>
          client.callTool(
            { name: "progress", arguments: { steps: index + 1 } },
            { onprogress: ({ progress }) => void (notifications[index] ??= []).push(progress) },
          ),
        ),
      );
      for (const [index, name] of names.entries()) {
        expect(JSON.stringify(sampled[index])).toContain(`sampled by ${name}`);
        expect(all[index]!.received).toHaveLength(1);
        expect(notifications[index]!.at(-1)).toBe(index + 1);
      }
    },
  },
  {
    name: "a client that disconnects aborts its requests (LIFE-18, CANC-05)",
    needs: ["sessions", "shared"],
    run: async ({ connect, json, wire }) => {
      const { client } = await connect();
      const label = `left ${wire.name}`;
      const waiting = client.callTool({ name: "wait", arguments: { label } });
      waiting.catch(() => {});
      await until("the tool to run", async () => (await json("witness", { label })).length > 0);
      await client.close();
      await expect(waiting).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
      const end = ["started", "aborted: CONNECTION_CLOSED"];
      await until("the end", async () => (await json("witness", { label })).length > 1);
      expect(await json("witness", { label })).toEqual(end);
    },
  },
  {
    name: "a client can connect again (LIFE-18)",
    run: async ({ connect, venue, from }) => {
      const { client } = await connect();
      await client.close();
      expect(await client.closed).toBeUndefined();
      await expect(client.ping()).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
      await client.connect(venue.transport());
      expect(client.revision).toBe(from.revision.id);
      expect(await client.ping()).toEqual({});
      await client.close();
    },
  },
  {
    name: "the end of a server rejects the pending requests (LIFE-18, PING-02)",
    needs: ["sessions"],
    run: async ({ elsewhere }) => {
      const { client, venue } = await elsewhere("everything", {
        options: { limits: { drain: 100 } },
      });
      const waiting = client.callTool({ name: "wait", arguments: { label: "gone" } });
      waiting.catch(() => {});
      await client.ping();
      await venue.close();
      await expect(waiting).rejects.toThrow();
    },
  },
  {
    name: "each of many concurrent calls receives its own response (BASE-06)",
    run: async ({ text }) => {
      const values = Array.from({ length: 100 }, (_, index) => `value ${index}`);
      expect(await Promise.all(values.map((value) => text("echo", { value })))).toEqual(values);
    },
  },
  {
    name: "any string of a megabyte is transferred (BASE-02)",
    run: async ({ text }) => {
      const odd = 'line\nbreak \r\n \u2028 \u0000 "quoted" \\ 😀 \ud800 data: x\n\nevent: y';
      expect(await text("echo", { value: odd })).toBe(odd);
      const long = "é".repeat(500_000);
      expect(await text("echo", { value: long })).toBe(long);
    },
  },
  {
    name: "only a message beyond all limits fails (F06, H06)",
    run: async ({ call, client }) => {
      const value = "x".repeat(20 * 1024 * 1024);
      await call("echo", { value }, { timeout: 1000 }).catch(() => {});
      expect(await client.ping()).toEqual({});
    },
  },
  {
    name: "only a message that is nested too deeply fails (F13)",
    run: async ({ call, client }) => {
      let value: unknown = 1;
      for (let depth = 0; depth < 300; depth += 1) value = [value];
      await expect(call("echo", { value })).rejects.toThrow(/nested deeper/);
      expect(await client.ping()).toEqual({});
    },
  },
  {
    name: "pings keep a live connection open (PING-03)",
    needs: ["sessions"],
    run: async ({ connect }) => {
      const keepAlive = { interval: 20, timeout: 5000 };
      const { client } = await connect({ options: { keepAlive } });
      await new Promise((resolve) => setTimeout(resolve, 150));
      expect(await client.ping()).toEqual({});
    },
  },
];
