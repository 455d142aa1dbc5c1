import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Client } from "../../../../generated/2026-07-28/index.js";
import { HttpClientTransport } from "../../../../runtime/http/client/index.js";
import { closeAfter } from "../support/clients.js";
import { root } from "../../../support/pack.js";

/** Lets tests send the request that opens a subscription, which is not among the typed requests. */
interface Untyped {
  request(method: string, params: object, options?: object): Promise<unknown>;
}

describe("a stateless server on the official SDK", () => {
  let server: ChildProcess;
  let url: string;
  let printed = "";
  const errors: Error[] = [];
  const onerror = (error: Error): void => void errors.push(error);

  beforeAll(async () => {
    const file = join(root, "test/fixtures/peers/sdk-modern-http-server.mjs");
    server = spawn(process.execPath, [file, "reject"], { stdio: ["ignore", "pipe", "inherit"] });
    const [line] = (await once(server.stdout!, "data")) as [Buffer];
    url = line.toString().trim();
    server.stdout!.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  });
  afterAll(async () => {
    server.kill();
    await once(server, "exit");
  });

  async function connected(): Promise<Client> {
    const handlers = {
      "elicitation/create": () => ({ action: "accept" as const, content: { name: "Ada" } }),
    };
    const client = closeAfter(
      new Client({ name: "ours", version: "1.0.0" }, handlers, { onerror }),
    );
    await client.connect(new HttpClientTransport(url));
    return client;
  }

  it("is discovered", async () => {
    const client = await connected();
    expect(client.revision).toBe("2026-07-28");
    expect(client.server?.info).toMatchObject({ name: "sdk-modern" });
    expect(client.server?.capabilities).toMatchObject({ tools: { listChanged: true } });
  });

  it.each([
    { region: "us-west1", count: 42, verbose: true },
    { region: " padded ", count: -7, verbose: false },
    { region: "日本語" },
    { region: "line1\r\nline2" },
    { region: "a\tb" },
    { region: "=?base64?aGk=?=" },
    { region: "" },
    {},
  ])("accepts the headers for the arguments %j (XH-02, HVAL-07)", async (args) => {
    const client = await connected();
    await client.listTools();
    const { content } = await client.callTool({ name: "where", arguments: args });
    expect(content).toEqual([{ type: "text", text: JSON.stringify(args) }]);
  });

  it("is sent tools/list again after a missing header (XH-16)", async () => {
    const client = await connected();
    const { content } = await client.callTool({ name: "where", arguments: { region: "eu" } });
    expect(content).toEqual([{ type: "text", text: '{"region":"eu"}' }]);
  });

  it("finds prompts and resources by name (HDR-08, HDR-10)", async () => {
    const client = await connected();
    const prompt = await client.getPrompt({ name: "greet ✓", arguments: { name: "Ada" } });
    expect(prompt.messages[0]!.content).toEqual({ type: "text", text: "Hello Ada" });
    const { contents } = await client.readResource({ uri: "note://1" });
    expect(contents).toMatchObject([{ text: "remember" }]);
  });

  it("receives the user's answers, and sends progress", async () => {
    const client = await connected();
    const { content } = await client.callTool({ name: "elicit", arguments: {} });
    expect(content).toEqual([{ type: "text", text: "Ada" }]);
    const values: number[] = [];
    await client.callTool(
      { name: "progress", arguments: {} },
      { onprogress: ({ progress }) => values.push(progress) },
    );
    expect(values.at(-1)).toBe(3);
  });

  it("stops the handler when the caller aborts (CANC-11)", async () => {
    const client = await connected();
    const controller = new AbortController();
    const { signal } = controller;
    const waiting = client.callTool({ name: "wait", arguments: {} }, { signal });
    await expect.poll(() => printed).toContain("waiting");
    controller.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
    await expect.poll(() => printed).toContain("aborted");
  });

  it("sends change notifications to a subscription until it closes", async () => {
    const notified: string[] = [];
    const handlers = { "notifications/tools/list_changed": () => void notified.push("tools") };
    const client = closeAfter(new Client({ name: "ours", version: "1.0.0" }, handlers, {}));
    await client.connect(new HttpClientTransport(url));
    const params = { notifications: { toolsListChanged: true } };
    const controller = new AbortController();
    const { signal } = controller;
    const listening = (client as unknown as Untyped).request("subscriptions/listen", params, {
      signal,
    });
    listening.catch(() => {});
    await expect
      .poll(async () => {
        await fetch(new URL("/tools", url));
        return notified.length;
      })
      .toBeGreaterThan(0);
    controller.abort();
    await expect(listening).rejects.toThrow();
  });

  it("accepts every message", () => {
    expect(errors).toEqual([]);
  });
});
