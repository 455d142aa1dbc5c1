import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as r20241105 from "../../../generated/2024-11-05/index.js";
import * as r20250326 from "../../../generated/2025-03-26/index.js";
import * as r20250618 from "../../../generated/2025-06-18/index.js";
import * as r20251125 from "../../../generated/2025-11-25/index.js";
import { HttpClientTransport, SseClientTransport } from "../../../runtime/http/client/index.js";
import { type SdkMode, SdkServer } from "./support/sdk-server.js";
import { itWhere } from "../../support/conditional.js";

/**
 * The type of all clients, taken from the newest one. In the parts that these tests use, older ones behave the same.
 */
type Client = r20251125.Client;
type Package = { Client: new (...args: ConstructorParameters<typeof r20251125.Client>) => Client };

const packages = {
  "2024-11-05": r20241105 as unknown as Package,
  "2025-03-26": r20250326 as unknown as Package,
  "2025-06-18": r20250618 as unknown as Package,
  "2025-11-25": r20251125 as unknown as Package,
};
type RevisionId = keyof typeof packages;
const hasElicitation = (revision: string) => revision >= "2025-06-18";

const servers: ["v1" | "v2", SdkMode][] = [
  ["v1", "events"],
  ["v1", "json"],
  ["v1", "resumable"],
  ["v1", "stateless"],
  ["v1", "sse"],
  ["v2", "events"],
  ["v2", "json"],
  ["v2", "resumable"],
];

describe.each(servers)("a server on SDK %s with %s", (generation, mode) => {
  let server: SdkServer;
  beforeAll(async () => {
    server = await SdkServer.start(generation, mode);
  });
  afterAll(() => server.stop());

  /**
   * False for a server that cannot send the client a request, because it opens no stream to a request or has no
   * session.
   */
  const canAsk = mode !== "json" && mode !== "stateless";

  describe.each(Object.keys(packages) as RevisionId[])("the client of %s", (revision) => {
    const logged: unknown[] = [];
    const errors: Error[] = [];
    let client: Client;

    beforeAll(async () => {
      const handlers: r20251125.ClientHandlers = {
        "roots/list": () => ({ roots: [{ uri: "file:///home/me" }] }),
        "sampling/createMessage": () => ({
          role: "assistant",
          model: "adder",
          content: { type: "text", text: "4" },
        }),
        "notifications/message": ({ data }) => void logged.push(data),
        ...(hasElicitation(revision) && {
          "elicitation/create": () => ({ action: "accept", content: { name: "Ada" } }),
        }),
      };
      const info = { name: "ours", version: "1.0.0" };
      client = new packages[revision].Client(info, handlers, {
        onerror: (error) => void errors.push(error),
      });
      const reconnect = { initialDelay: 50 };
      await client.connect(new HttpClientTransport(server.url, { reconnect }));
    });
    afterAll(async () => {
      await client.close();
      expect(errors).toEqual([]);
    });

    const call = async (name: string, input = {}) => {
      const { content } = await client.callTool({ name, arguments: input });
      return (content[0] as { text: string }).text;
    };

    it("agrees on its revision", () => {
      expect(client.revision).toBe(revision);
      expect(client.server?.instructions).toBe("Try them all.");
    });

    it("lists and calls tools, many at a time", async () => {
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toContain("echo");
      const values = Array.from({ length: 20 }, (_, index) => `héllo ${index}`);
      const echoed = await Promise.all(values.map((value) => call("echo", { value })));
      expect(echoed).toEqual(values);
    });

    it("reads resources and gets prompts", async () => {
      const { contents } = await client.readResource({ uri: "note://1" });
      expect(contents).toMatchObject([{ text: "remember" }]);
      const { messages } = await client.getPrompt({ name: "greet", arguments: { name: "Ada" } });
      expect(messages).toEqual([{ role: "user", content: { type: "text", text: "Hello Ada" } }]);
    });

    itWhere(canAsk)("answers requests of the server during a call", async () => {
      expect(await call("sample")).toBe("4");
      expect(await call("roots")).toBe("file:///home/me");
      if (hasElicitation(revision)) expect(await call("elicit")).toBe("accept Ada");
    });

    itWhere(canAsk)("receives log messages", async () => {
      await client.setLevel({ level: "debug" });
      expect(await call("log")).toBe("logged");
      await expect.poll(() => logged).toContain("from the tool");
    });

    itWhere(mode !== "json")("follows progress", async () => {
      const seen: number[] = [];
      const onprogress = ({ progress }: { progress: number }) => seen.push(progress);
      const { content } = await client.callTool({ name: "progress" }, { onprogress });
      expect(content).toMatchObject([{ text: "done" }]);
      expect(seen.at(-1)).toBe(3);
    });

    itWhere(mode !== "stateless")("cancels a request and continues", async () => {
      const abort = new AbortController();
      const waiting = client.callTool({ name: "wait" }, { signal: abort.signal });
      abort.abort(new Error("never mind"));
      await expect(waiting).rejects.toThrow("never mind");
      expect(await client.ping()).toEqual({});
    });

    it("receives errors for unknown names", async () => {
      const reading = client.readResource({ uri: "note://none" });
      await expect(reading).rejects.toMatchObject({ name: "RpcError" });
    });

    itWhere(mode === "resumable")(
      "resumes a stream and receives the missed messages (RSM-04, POLL-04)",
      async () => {
        expect(await call("poll")).toBe("fetched");
      },
    );

    itWhere(mode !== "stateless" && mode !== "sse")(
      "continues when the server forgets its session (SESS-07)",
      async () => {
        await fetch(new URL("/forget", server.url), { method: "POST" });
        expect(await call("echo", { value: "again" })).toBe("again");
      },
    );
  });
});

describe("a server on SDK v1 with HTTP+SSE", () => {
  it("is used directly if the option names that transport", async () => {
    const server = await SdkServer.start("v1", "sse");
    const client = new r20241105.Client({ name: "ours", version: "1.0.0" }, {});
    await client.connect(new SseClientTransport(server.url));
    expect(await client.ping()).toEqual({});
    await client.close();
    await server.stop();
  });
});
