import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type * as Package from "@mcp-codegen/2025-03-26";
import { memoryPair } from "../../runtime/memory/memory-pair.js";
import { deferred } from "./support/tiny-endpoints.js";

const folder = fileURLToPath(new URL("../../generated", import.meta.url));
const ids = readdirSync(folder).filter((name) => /^\d{4}-\d{2}-\d{2}$/.test(name));
const packages = await Promise.all(
  ids.map(async (id) => (await import(`../../generated/${id}/index.ts`)) as typeof Package),
);
const connectable = packages.filter(({ revision }) => revision.traits.lifecycle === "initialize");

const info = { name: "test", version: "1.0.0" };

it("there are generated packages of both kinds", () => {
  expect(connectable.length).toBeGreaterThan(1);
  expect(connectable.length).toBeLessThan(packages.length);
});

describe.each(connectable.map((one) => [one.revision.id, one] as const))("%s", (id, one) => {
  const { Client, Server, validators } = one;

  async function connected(
    handlers: Package.Handlers,
    clientHandlers: Package.ClientHandlers = {},
    capabilities: Package.ServerCapabilities = {},
  ) {
    const wrong: string[] = [];
    const ontext = (text: string): void => {
      if (!validators.JSONRPCMessage(JSON.parse(text))) wrong.push(text);
    };
    const errors: Error[] = [];
    const onerror = (error: Error): void => void errors.push(error);
    const [near, far] = memoryPair({ ontext });
    const server = new Server(info, handlers, { onerror, capabilities });
    const client = new Client(info, clientHandlers, { onerror });
    await Promise.all([server.connect(far), client.connect(near)]);
    return { client, server, errors, wrong };
  }

  it("agrees on its revision, and declares what has handlers (LIFE-02, LIFE-03, LIFE-19)", async () => {
    const { client, server, errors, wrong } = await connected(
      {
        "tools/list": () => ({ tools: [] }),
        "resources/subscribe": () => ({}),
        "logging/setLevel": () => ({}),
      },
      { "roots/list": () => ({ roots: [] }) },
    );
    expect([client.revision, server.revision]).toEqual([id, id]);
    expect(client.server).toMatchObject({
      info,
      capabilities: { tools: {}, resources: { subscribe: true }, logging: {} },
    });
    expect(server.client).toMatchObject({ info, capabilities: { roots: {} } });
    await expect(client.listPrompts()).rejects.toMatchObject({ code: "CAPABILITY" });
    await client.close();
    expect([...errors, ...wrong]).toEqual([]);
  });

  it("calls a tool, with progress, logging and a request to the client", async () => {
    const progress: number[] = [];
    const logged: unknown[] = [];
    const { client, errors, wrong } = await connected(
      {
        "tools/call": async ({ name, arguments: given }, context) => {
          context.progress(1, 2);
          await context.notify("notifications/message", { level: "info", data: { name } });
          const { roots } = await context.request("roots/list");
          context.progress(2, 2);
          return {
            content: [{ type: "text", text: `${String(given?.["who"])} ${roots[0]?.uri}` }],
          };
        },
      },
      {
        "roots/list": () => ({ roots: [{ uri: "file:///a" }] }),
        "notifications/message": ({ data }) => void logged.push(data),
      },
      { logging: {} },
    );
    const result = await client.callTool(
      { name: "greet", arguments: { who: "you" } },
      { onprogress: (changes) => progress.push(changes.progress) },
    );
    expect(result).toEqual({ content: [{ type: "text", text: "you file:///a" }] });
    expect(progress).toEqual([1, 2]);
    expect(logged).toEqual([{ name: "greet" }]);
    await client.close();
    expect([...errors, ...wrong]).toEqual([]);
  });

  it("cancels a request", async () => {
    const aborted = deferred<unknown>();
    const { client, errors, wrong } = await connected({
      "tools/call": (_params, { signal }) => {
        signal.addEventListener("abort", () => aborted.resolve(signal.reason));
        return new Promise(() => {});
      },
    });
    const controller = new AbortController();
    const pending = client.callTool({ name: "slow" }, { signal: controller.signal });
    controller.abort("enough");
    await expect(pending).rejects.toBe("enough");
    expect(await aborted.promise).toMatchObject({ code: "REQUEST_CANCELLED" });
    await client.close();
    expect([...errors, ...wrong]).toEqual([]);
  });

  it("refuses invalid parameters and invalid results", async () => {
    const { client, errors } = await connected({
      "tools/call": () => ({ content: "text" }) as never,
    });
    const wrongParams = client.callTool({ name: 5 } as never);
    await expect(wrongParams).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining("/name: expected string"),
    });
    await expect(client.callTool({ name: "a" })).rejects.toMatchObject({
      code: -32603,
      message: "Internal error",
    });
    expect(errors).toMatchObject([
      { code: "HANDLER", message: expect.stringContaining("/content: expected array") },
    ]);
    await client.close();
  });
});
