import {
  Client as ClientV2,
  StreamableHTTPClientTransport as HttpV2,
} from "@modelcontextprotocol/client";
import { StdioClientTransport as StdioV2 } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as StdioV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, onTestFinished, test } from "vitest";
import { hosts } from "../facade/matrix/support/host.js";

const URI = "maximal://one";
const capabilities = { sampling: {}, roots: {}, elicitation: { form: {} } };

const given = {
  "sampling/createMessage": {
    role: "assistant",
    content: { type: "text", text: "Paris" },
    model: "m",
  },
  "roots/list": { roots: [{ uri: "file:///work" }] },
} as const;

const answerOf = (name: string) => ({ action: "accept", content: { name } }) as const;

interface Result {
  readonly content?: unknown;
  readonly isError?: boolean | undefined;
  readonly structuredContent?: unknown;
}

/** The members that both generations of the official client share. */
interface Peer {
  readonly client: Pick<
    ClientV1,
    | "listTools"
    | "listPrompts"
    | "listResourceTemplates"
    | "readResource"
    | "getPrompt"
    | "complete"
  >;
  readonly received: string[];
  readonly logged: unknown[];
  call(name: string, args?: object, options?: object): Promise<Result>;
  listen(): Promise<void>;
}

type Where = string | { command: string; args: string[] };

async function connectV1(where: Where, name: string): Promise<Peer> {
  const client = new ClientV1({ name, version: "1" }, { capabilities });
  const received: string[] = [];
  const logged: unknown[] = [];
  client.setRequestHandler(CreateMessageRequestSchema, () => given["sampling/createMessage"]);
  client.setRequestHandler(ListRootsRequestSchema, () => given["roots/list"]);
  client.setRequestHandler(ElicitRequestSchema, () => answerOf(name));
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
    logged.push(params.data);
  });
  client.setNotificationHandler(
    ToolListChangedNotificationSchema,
    () => void received.push("tools"),
  );
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
    received.push(params.uri);
  });
  const transport =
    typeof where === "string"
      ? new HttpV1(new URL(where))
      : new StdioV1({ ...where, stderr: "ignore" });
  await client.connect(transport as Parameters<ClientV1["connect"]>[0]);
  onTestFinished(() => client.close());
  const call: Peer["call"] = async (tool, args = {}, options = {}) =>
    (await client.callTool({ name: tool, arguments: { ...args } }, undefined, options)) as Result;
  const listen = async (): Promise<void> => {
    await client.setLoggingLevel("error");
    await client.subscribeResource({ uri: URI });
  };
  return { client, received, logged, call, listen };
}

async function connectV2(
  where: Where,
  name: string,
  mode: "auto" | { pin: string } = { pin: "2026-07-28" },
): Promise<Peer> {
  const client = new ClientV2(
    { name, version: "2" },
    { versionNegotiation: { mode }, capabilities },
  );
  const received: string[] = [];
  const logged: unknown[] = [];
  client.setRequestHandler(
    "sampling/createMessage",
    () => given["sampling/createMessage"] as never,
  );
  client.setRequestHandler("roots/list", () => given["roots/list"] as never);
  client.setRequestHandler("elicitation/create", () => answerOf(name) as never);
  client.setNotificationHandler("notifications/message", ({ params }) => {
    logged.push(params.data);
  });
  client.setNotificationHandler(
    "notifications/tools/list_changed",
    () => void received.push("tools"),
  );
  client.setNotificationHandler("notifications/resources/updated", ({ params }) => {
    received.push(params.uri);
  });
  const transport =
    typeof where === "string"
      ? new HttpV2(new URL(where))
      : new StdioV2({ ...where, stderr: "ignore" });
  await client.connect(transport);
  onTestFinished(() => client.close());
  let level: object = {};
  const call: Peer["call"] = async (tool, args = {}, options = {}) =>
    (await client.callTool({ name: tool, arguments: { ...args }, ...level }, options)) as Result;
  const listen = async (): Promise<void> => {
    level = { _meta: { "io.modelcontextprotocol/logLevel": "error" } };
    await client.listen({ toolsListChanged: true, resourceSubscriptions: [URI] });
  };
  return { client: client as unknown as Peer["client"], received, logged, call, listen };
}

const { of, program } = hosts();

async function placeOf(wire: "http" | "stdio"): Promise<Where> {
  if (wire === "http") return (await of("2026-07-28", "http")).url;
  return { command: process.execPath, args: [program, "00".repeat(32)] };
}

/** Connects official clients of both generations at the same time. */
async function both(wire: "http" | "stdio"): Promise<Peer[]> {
  const where = await placeOf(wire);
  return Promise.all([connectV1(where, "v1"), connectV2(where, "v2")]);
}

const textOf = ({ content }: Result): unknown => (content as { text: unknown }[])[0]?.text;

const text = (name: string): string => `ordered ${name} Paris (m) file:///work`;

/** Returns a list's entries without the members that differ between revisions. */
function common(list: object): unknown {
  const [names = []] = Object.values(list).filter(Array.isArray);
  return JSON.parse(
    JSON.stringify(names, (key, value) => (key === "outputSchema" ? undefined : value)),
  );
}

describe.each(["http", "stdio"] as const)(
  "a universal server and SDK 1.32 and 2.4 (%s)",
  (wire) => {
    test("behaves in the same way for both", async () => {
      const [v1, v2] = (await both(wire)).map(({ client }) => client);
      for (const list of ["listTools", "listPrompts", "listResourceTemplates"] as const) {
        const [one, other] = await Promise.all([v1![list](), v2![list]()]);
        expect(common(other)).toEqual(common(one));
      }
      for (const client of [v1!, v2!]) {
        expect((await client.readResource({ uri: "maximal://7/part" })).contents).toMatchObject([
          { text: "part 7" },
        ]);
        const { messages } = await client.getPrompt({
          name: "maximal",
          arguments: { language: "go" },
        });
        expect(messages).toMatchObject([{ content: { text: "Review go" } }]);
        const { completion } = await client.complete({
          ref: { type: "ref/prompt", name: "maximal" },
          argument: { name: "language", value: "terse" },
          context: { arguments: { style: "terse" } },
        });
        expect(completion.values).toEqual(["terse-go"]);
      }
    });

    test("calls tools, with structured content and errors", async () => {
      const peers = await both(wire);
      for (const { client, call } of peers) {
        await client.listTools();
        expect((await call("maximal")).structuredContent).toEqual({ sum: 3 });
        expect((await call("fail")).isError).toBe(true);
        await expect(call("none")).rejects.toMatchObject({ code: -32602 });
        await expect(client.readResource({ uri: "gone://one" })).rejects.toThrow(/not found/);
      }
      const [v1, v2] = await Promise.all(peers.map(({ call }) => call("array")));
      expect([v1!.structuredContent, v2!.structuredContent]).toEqual([{ result: [1, 2] }, [1, 2]]);
    });

    test.each(["sequence", "parallel"])(
      "sends requests to both clients, in %s (T2)",
      async (tool) => {
        const peers = await both(wire);
        const results = await Promise.all(
          peers.flatMap(({ call }) => Array.from({ length: 3 }, () => call(tool))),
        );
        expect(results.map(textOf)).toEqual([
          ...Array.from({ length: 3 }, () => text("v1")),
          ...Array.from({ length: 3 }, () => text("v2")),
        ]);
      },
    );

    test("sends progress, log messages and change notifications to both (T6, T7, T8)", async () => {
      const peers = await both(wire);
      for (const { listen } of peers) await listen();
      for (const { call, logged } of peers) {
        const steps = async (): Promise<number[]> => {
          const seen: number[] = [];
          const onprogress = ({ progress }: { progress: number }) => void seen.push(progress);
          expect(textOf(await call("steps", {}, { onprogress }))).toBe("done");
          return seen;
        };
        // The older one loses reports that arrive in the same chunk as the result, which happens on a busy machine.
        await expect.poll(steps).toEqual([1, 2]);
        await call("work");
        expect(logged).toEqual([{ big: true }]);
      }
      const changers = wire === "http" ? [peers[0]!] : peers;
      for (const { call } of changers) {
        await call("change", { what: "tools" });
        await call("change", { what: URI });
      }
      for (const { received } of peers) await expect.poll(() => received).toEqual(["tools", URI]);
    });

    test("is detected as stateless (ERA-02)", async () => {
      const { call } = await connectV2(await placeOf(wire), "v2", "auto");
      expect(textOf(await call("who"))).toBe(" v2 2026-07-28");
    });

    test("stops the handler when the caller aborts (T16)", async () => {
      const peers = await both(wire);
      for (const [index, { call }] of peers.entries()) {
        const label = `${wire}-${index}`;
        const leaving = new AbortController();
        const waiting = call("wait", { label }, { signal: leaving.signal });
        waiting.catch(() => {});
        const seen = async () => textOf(await call("witness", { label }));
        await expect.poll(seen).toBe("started");
        leaving.abort();
        await expect(waiting).rejects.toThrow();
        await expect.poll(seen).toBe("started,aborted");
      }
    });
  },
);
