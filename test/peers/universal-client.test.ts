import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { connect, type ConnectOptions, type McpClient, revisions } from "@mcp-codegen/universal";
import { root } from "../support/pack.js";
import { itWhere } from "../support/conditional.js";
import { eventually } from "../support/eventually.js";

const file = join(root, "test/peers/support/sdk-asking-server.mjs");

async function textOf(client: McpClient, name: string): Promise<string> {
  const [block] = (await client.callTool(name)).content;
  return block?.type === "text" ? block.text : "";
}

describe.each(["stdio", "http"])("`connect` and a server on SDK 2.4 (%s)", (wire) => {
  let server: ChildProcess | undefined;
  let url = "";

  beforeAll(async () => {
    if (wire === "stdio") return;
    server = spawn(process.execPath, [file, "http"], { stdio: ["ignore", "pipe", "inherit"] });
    const [line] = (await once(server.stdout!, "data")) as [Buffer];
    url = line.toString().trim();
  });
  afterAll(async () => {
    if (!server) return;
    server.kill();
    await once(server, "exit");
  });

  async function connected(options: ConnectOptions = {}) {
    const requested: string[] = [];
    const errors: Error[] = [];
    const target = wire === "http" ? url : { command: process.execPath, args: [file, "stdio"] };
    const client = await connect(target, {
      eras: false,
      // A process that starts slowly would also receive a handshake, and that server would then stay in the session.
      probeTimeout: 20_000,
      onElicit: ({ message }) => {
        requested.push(message);
        return { action: "accept", content: { name: "Ada" } };
      },
      onSample: () => {
        requested.push("sample");
        return { role: "assistant", content: { type: "text", text: "Paris" }, model: "m" };
      },
      onRoots: () => {
        requested.push("roots");
        return [{ uri: "file:///work" }];
      },
      onerror: (error) => errors.push(error),
      ...options,
    });
    onTestFinished(async () => {
      await client.close();
      expect(errors.filter(({ name }) => name !== "DeprecationWarning")).toEqual([]);
    });
    return { client, requested };
  }

  test("choose stateless requests (ERA-01, ERA-02)", async () => {
    const { client } = await connected();
    expect([client.era, client.revision]).toEqual(["stateless", revisions[0]!.id]);
    expect(client.server.info).toMatchObject({ name: "sdk-asking" });
  });

  test.each(["sequence", "parallel"])("exchange requests in rounds, in %s", async (tool) => {
    const { client, requested } = await connected();
    expect(await textOf(client, tool)).toBe("Ada Paris file:///work");
    expect(requested.toSorted()).toEqual(["Who?", "roots", "sample"]);
  });

  // Over HTTP, that server opens no sessions in which it could send requests.
  itWhere(wire === "stdio").each(["sequence", "parallel"])(
    "exchange requests in a session, in %s",
    async (tool) => {
      const { client, requested } = await connected({ revisions: revisions.slice(1) });
      expect(client.era).toBe("session");
      expect(await textOf(client, tool)).toBe("Ada Paris file:///work");
      expect(requested.toSorted()).toEqual(["Who?", "roots", "sample"]);
    },
  );

  test("exchange change notifications (T8)", async () => {
    const { client } = await connected();
    const received: string[] = [];
    client.on("toolsChanged", () => received.push("tools"));
    await client.subscribe("note://1", (uri) => received.push(uri));
    await eventually(async () => {
      await client.callTool("change");
      expect(received).toContain("tools");
    });
    await client.callTool("update");
    await eventually(() => expect(received).toContain("note://1"));
    await client.unsubscribe("note://1");
    received.length = 0;
    await client.callTool("update");
    await client.ping();
    expect(received).not.toContain("note://1");
  });

  test("exchange log messages from the chosen level on (T7)", async () => {
    const { client } = await connected();
    const received: unknown[] = [];
    client.on("log", ({ data }) => received.push(data));
    await client.callTool("log");
    await client.setLogLevel("error");
    await client.callTool("log");
    await eventually(() => expect(received).toContain("large"));
    expect(received.filter((data) => data === "large").length).toBeGreaterThan(0);
  });
});
