import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { connect, type ConnectOptions } from "@mcp-codegen/universal";
import { type SdkMode, SdkServer } from "../http/client/support/sdk-server.js";
import { root } from "../support/pack.js";
import { eventually } from "../support/eventually.js";

/** Connects to a server as to any other. */
async function connected(target: Parameters<typeof connect>[0], options: ConnectOptions = {}) {
  const errors: Error[] = [];
  const client = await connect(target, {
    eras: false,
    onElicit: () => ({ action: "accept", content: { name: "Ada" } }),
    onSample: () => ({ role: "assistant", content: { type: "text", text: "4" }, model: "m" }),
    onRoots: () => [{ uri: "file:///work" }],
    onerror: (error) => errors.push(error),
    ...options,
  });
  onTestFinished(async () => {
    await client.close();
    expect(errors).toEqual([]);
  });
  return client;
}

type Where = () => Promise<Parameters<typeof connect>[0]>;

const stdio =
  (generation: string): Where =>
  async () => ({
    command: process.execPath,
    args: [join(root, `test/fixtures/peers/sdk-${generation}-server.mjs`)],
  });

const http =
  (generation: "v1" | "v2", mode: SdkMode): Where =>
  async () => {
    const server = await SdkServer.start(generation, mode);
    onTestFinished(() => server.stop());
    return server.url;
  };

/** Connections to servers that can send requests to their client. */
const sessions: Readonly<Record<string, Where>> = {
  "SDK 1.32, stdio": stdio("v1"),
  "SDK 2.4, stdio": stdio("v2"),
  "SDK 1.32, Streamable HTTP": http("v1", "events"),
  "SDK 2.4, Streamable HTTP": http("v2", "events"),
  "SDK 1.32, resumable": http("v1", "resumable"),
  "SDK 1.32, HTTP+SSE": http("v1", "sse"),
};

describe.each(Object.entries(sessions))("`connect` and a session server: %s", (_, where) => {
  test("detect each other and exchange requests (ERA-04, ERA-07, ERA-09, MATRIX-07)", async () => {
    const client = await connected(await where());
    expect(client.era).toBe("session");
    const call = async (name: string, args = {}): Promise<unknown> =>
      ((await client.callTool(name, args)).content as { text: unknown }[])[0]?.text;
    const results = await Promise.all([
      call("echo", { value: "héllo" }),
      call("sample"),
      call("elicit"),
      call("roots"),
    ]);
    expect(results).toEqual(["héllo", "4", "accept Ada", "file:///work"]);
    expect((await client.readResource("note://1")).contents).toMatchObject([{ text: "remember" }]);
    expect(await client.callTool("fail")).toMatchObject({ isError: true });
    await client.ping();
  });

  test("exchange log messages, and cancel a call that the caller aborts (T7, T16)", async () => {
    const client = await connected(await where());
    const logged: unknown[] = [];
    client.on("log", ({ data }) => logged.push(data));
    await client.setLogLevel("debug");
    await client.callTool("log");
    await eventually(() => expect(logged).toEqual(["from the tool"]));
    const leaving = new AbortController();
    const waiting = client.callTool("wait", {}, { signal: leaving.signal });
    leaving.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
    await client.ping();
  });
});

test.each<["v1" | "v2", SdkMode]>([
  ["v1", "json"],
  ["v1", "stateless"],
  ["v2", "json"],
  ["v2", "stateless"],
])(
  "`connect` works with a server on SDK %s that sends one response per request (%s)",
  async (generation, mode) => {
    const client = await connected(await http(generation, mode)());
    expect(client.era).toBe("session");
    const { content } = await client.callTool("echo", { value: "hi" });
    expect(content).toMatchObject([{ text: "hi" }]);
  },
);
