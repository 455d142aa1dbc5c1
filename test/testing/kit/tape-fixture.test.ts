import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { judge, tape } from "@mcp-codegen/testing";
import { connect } from "@mcp-codegen/universal/client";
import { createHttpHandler } from "@mcp-codegen/universal/http";
import { McpServer } from "@mcp-codegen/universal/server";
import { revisions } from "@mcp-codegen/universal/revisions";
import { listen } from "@mcp-codegen/runtime/http/node";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "tape-"))));
afterEach(() => rmSync(folder, { recursive: true }));

let count = 0;

function createServer(): McpServer {
  const server = new McpServer({ name: "adder", version: "1.0.0" });
  const number = { type: "number" } as const;
  const inputSchema = { type: "object", properties: { a: number, b: number } } as const;
  server.registerTool("add", { description: "Adds", inputSchema }, ({ a = 0, b = 0 }) => {
    count++;
    return String(Number(a) + Number(b));
  });
  return server;
}

async function sum(file: string, b: number, options = {}): Promise<unknown> {
  const client = await connect(await tape(file, createServer(), options));
  try {
    return (await client.callTool("add", { a: 1, b })).content;
  } finally {
    await client.close();
  }
}

describe("tape", () => {
  it("refuses anything but a server, and names what it accepts", async () => {
    const file = join(folder, "none.tape.jsonl");
    await expect(tape(file, 5 as never)).rejects.toThrow(
      "a URL, { command, args }, or an McpServer",
    );
    expect(existsSync(file)).toBe(false);
  });

  it("records a conversation once, and replays it without the server", async () => {
    const file = join(folder, "add.tape.jsonl");
    count = 0;
    for (let times = 0; times < 3; times++) {
      expect(await sum(file, 2)).toEqual([{ type: "text", text: "3" }]);
    }
    expect(count).toBe(1);
  });

  it("records no secret from a variable of the environment", async () => {
    process.env["ADDER_TOKEN"] = "s3cr3t-of-adder";
    try {
      const server = createServer();
      server.registerTool("leak", {}, () => "It is s3cr3t-of-adder");
      const file = join(folder, "leak.tape.jsonl");
      const client = await connect(await tape(file, server));
      await client.callTool("leak");
      await client.close();
      expect(readFileSync(file, "utf8")).not.toContain("s3cr3t");
    } finally {
      delete process.env["ADDER_TOKEN"];
    }
  });

  it("records the same bytes each time", async () => {
    const files = ["one", "two"].map((name) => join(folder, `${name}.tape.jsonl`));
    for (const file of files) await sum(file, 2);
    const [one, two] = files.map((file) => readFileSync(file, "utf8"));
    expect(one).toBe(two);
  });

  it("refuses a request that the tape does not have, with the difference", async () => {
    const file = join(folder, "add.tape.jsonl");
    await sum(file, 2);
    await expect(sum(file, 3)).rejects.toThrow(
      /nearest.*\/params\/arguments\/b: recorded 2, received 3.*UPDATE_TAPES=1/s,
    );
  });

  it("records again if it is to be updated", async () => {
    const file = join(folder, "add.tape.jsonl");
    await sum(file, 2);
    expect(await sum(file, 3, { update: true })).toEqual([{ type: "text", text: "4" }]);
    expect(await sum(file, 3)).toEqual([{ type: "text", text: "4" }]);
  });

  it("records a server behind a URL", async () => {
    const file = join(folder, "http.tape.jsonl");
    const handler = createHttpHandler(createServer());
    const server = await listen(handler, { port: 0 });
    const sumOver = async (): Promise<unknown> => {
      const client = await connect(await tape(file, server.url));
      const { content } = await client.callTool("add", { a: 1, b: 1 });
      await client.close();
      return content;
    };
    expect(await sumOver()).toEqual([{ type: "text", text: "2" }]);
    await server.close();
    expect(await sumOver()).toEqual([{ type: "text", text: "2" }]);
  });
});

describe("judge of a server", () => {
  it("finds nothing in a right one, at any revision", async () => {
    const calls = [{ tool: "add", arguments: { a: 1, b: 2 } }];
    expect(await judge(createServer(), { calls, hints: true })).toEqual([]);
  });

  it("finds what is wrong", async () => {
    const server = createServer();
    server.setHandler("tools/list", () => ({
      tools: [
        { name: "add", inputSchema: { type: "object" } },
        { name: "add", inputSchema: { type: "object" } },
      ],
    }));
    const found = await judge(server, { revisions: revisions.slice(0, 1) });
    expect(found.map(({ id, pointer }) => [id, pointer])).toEqual([
      ["name-repeated", "/result/tools/1/name"],
    ]);
  });
});
