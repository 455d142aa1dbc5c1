import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as r20241105 from "../../generated/2024-11-05/index.js";
import * as r20250326 from "../../generated/2025-03-26/index.js";
import * as r20250618 from "../../generated/2025-06-18/index.js";
import * as r20251125 from "../../generated/2025-11-25/index.js";
import { StdioClientTransport } from "../../runtime/stdio/client/stdio-client.js";
import { root } from "../support/pack.js";

/** The newest client is typed; the older ones behave the same as far as these tests use them. */
type Client = r20251125.Client;
type Package = { Client: new (...args: ConstructorParameters<typeof r20251125.Client>) => Client };

const packages = {
  "2024-11-05": r20241105 as unknown as Package,
  "2025-03-26": r20250326 as unknown as Package,
  "2025-06-18": r20250618 as unknown as Package,
  "2025-11-25": r20251125 as unknown as Package,
};
const hasElicitation = (revision: string) => revision >= "2025-06-18";

const cases = ["sdk-v1", "sdk-v2"].flatMap((server) =>
  Object.keys(packages).map((revision) => ({
    server,
    revision: revision as keyof typeof packages,
  })),
);

describe.each(cases)("our client of $revision and a server on $server", ({ server, revision }) => {
  const logged: unknown[] = [];
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
    client = new packages[revision].Client({ name: "ours", version: "1.0.0" }, handlers);
    const args = [join(root, `test/fixtures/peers/${server}-server.mjs`)];
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args, stderr: "keep" }),
    );
  });
  afterAll(() => client.close());

  const call = async (name: string, input = {}) => {
    const { content } = await client.callTool({ name, arguments: input });
    return (content[0] as { text: string }).text;
  };

  it("agrees on its revision", () => {
    expect(client.revision).toBe(revision);
    expect(client.server?.info).toMatchObject({ name: server });
    expect(client.server?.instructions).toBe("Try them all.");
  });

  it("pings", async () => expect(await client.ping()).toEqual({}));

  it("lists and calls tools", async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("echo");
    expect(await call("echo", { value: "héllo ✓" })).toBe("héllo ✓");
  });

  it("receives the failure of a tool", async () => {
    const result = await client.callTool({ name: "fail" });
    expect(result).toMatchObject({ isError: true, content: [{ text: "as asked" }] });
  });

  it("reads resources and gets prompts", async () => {
    expect((await client.listResources()).resources).toHaveLength(1);
    const { contents } = await client.readResource({ uri: "note://1" });
    expect(contents).toMatchObject([{ text: "remember" }]);
    const { messages } = await client.getPrompt({ name: "greet", arguments: { name: "Ada" } });
    expect(messages).toEqual([{ role: "user", content: { type: "text", text: "Hello Ada" } }]);
  });

  it("answers requests of the server during a call", async () => {
    expect(await call("sample")).toBe("4");
    expect(await call("roots")).toBe("file:///home/me");
    if (hasElicitation(revision)) expect(await call("elicit")).toBe("accept Ada");
  });

  it("receives log messages", async () => {
    await client.setLevel({ level: "debug" });
    expect(await call("log")).toBe("logged");
    expect(logged).toContain("from the tool");
  });

  it("receives progress", async () => {
    const seen: number[] = [];
    const onprogress = ({ progress }: { progress: number }) => seen.push(progress);
    const { content } = await client.callTool({ name: "progress" }, { onprogress });
    expect(content).toMatchObject([{ text: "done" }]);
    expect(seen.at(-1)).toBe(3);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  });

  it("cancels a call and continues", async () => {
    const abort = new AbortController();
    const waiting = client.callTool({ name: "wait" }, { signal: abort.signal });
    abort.abort(new Error("never mind"));
    await expect(waiting).rejects.toThrow("never mind");
    expect(await client.ping()).toEqual({});
  });

  it("receives errors for unknown names", async () => {
    await expect(client.readResource({ uri: "note://none" })).rejects.toMatchObject({
      name: "RpcError",
    });
    await expect(client.getPrompt({ name: "none" })).rejects.toMatchObject({ name: "RpcError" });
  });
});
