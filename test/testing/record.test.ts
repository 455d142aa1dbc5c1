import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { gzipSync } from "node:zlib";
import { Client as OfficialClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { type Finding, judgeTape } from "@mcp-codegen/testing/checks";
import { type TapeLine, readTape } from "@mcp-codegen/testing/tape";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../support/free-port.js";
import { root } from "../support/pack.js";
import { conversations } from "../../runtime/testing/record/conversations.js";
import { SESSION_HEADER } from "../../runtime/testing/record/local-http.js";
import { recordHttp } from "../../runtime/testing/record/record-http.js";
import { recordFront, recordStdio } from "../../runtime/testing/record/record-stdio.js";
import { openTapeFile } from "../../runtime/testing/tape/tape-file.js";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "record-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function linesOf(file: string): Promise<TapeLine[]> {
  const lines: TapeLine[] = [];
  for await (const line of readTape(file)) lines.push(line);
  return lines;
}

const generator = "test";

it("a recording remembers the latest sessions, and the ones in use", () => {
  const known = conversations();
  let exchange = 0;
  const open = (id: string): number => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize" });
    const number = known.ofRequest({}, ++exchange, body);
    expect(known.ofResponse({ [SESSION_HEADER]: id }, exchange)).toBe(number);
    return number;
  };
  const of = (id: string): number => known.ofRequest({ [SESSION_HEADER]: id }, ++exchange, "{}");
  const [unused, used] = [open("unused"), open("used")];
  for (let count = 0; count < 15_000; count++) {
    const number = open(`${count}`);
    expect([of("used"), of(`${count}`)]).toEqual([used, number]);
  }
  expect(of("unused")).not.toBe(unused);
});

describe("a recorder between two streams", () => {
  it("passes thousands of messages unchanged in both directions, and copies each", async () => {
    const file = join(folder, "echo.tape.jsonl");
    const tape = await openTapeFile(file);
    const [input, output] = [new PassThrough(), new PassThrough()];
    const command = [process.execPath, "-e", "process.stdin.pipe(process.stdout)"];
    const recording = recordStdio({ command, generator, tape, input, output });
    const hash = createHash("sha256");
    output.on("data", (chunk: Buffer) => hash.update(chunk));
    const sent = createHash("sha256");
    const messages = 4000;
    for (let id = 0; id < messages; id++) {
      const text = `{ "jsonrpc":"2.0", "id":${id}, "method":"tools/call", "params":{"ä":"${"€".repeat(id % 300)}"} }\n`;
      sent.update(text);
      if (!input.write(text)) await once(input, "drain");
    }
    input.end();
    expect(await recording).toBe(0);
    await tape.close();
    expect(hash.digest("hex")).toBe(sent.digest("hex"));
    const lines = await linesOf(file);
    for (const side of ["client", "server"]) {
      expect(
        lines
          .filter(({ from }) => from === side)
          .map(({ message }) => (message as { id: number }).id),
      ).toEqual(Array.from({ length: messages }, (_, id) => id));
    }
    expect(lines.at(-1)).toMatchObject({ event: "closed", code: 0 });
  });

  it.each([
    ["process.exitCode = 3", 3, 3],
    ["process.kill(process.pid)", 143, null],
  ])("ends when the command ends, with its exit code: %s", async (end, expected, recorded) => {
    const file = join(folder, `exit-${expected}.tape.jsonl`);
    const tape = await openTapeFile(file);
    const command = [process.execPath, "-e", `process.stdout.write("bye\\n", () => { ${end}; })`];
    const recording = recordStdio({
      command,
      generator,
      tape,
      input: new PassThrough(),
      output: new PassThrough().resume(),
    });
    expect(await recording).toBe(expected);
    await tape.close();
    expect((await linesOf(file)).map(({ text, code }) => text ?? code)).toEqual(["bye", recorded]);
  });
});

/** Serves a command over HTTP while a function uses it, and returns the lines of its tape. */
async function withFront(
  name: string,
  words: readonly string[],
  use: (url: string) => Promise<void>,
): Promise<TapeLine[]> {
  const file = join(folder, `${name}.tape.jsonl`);
  const tape = await openTapeFile(file);
  const stop = new AbortController();
  const notes: string[] = [];
  const note = (text: string) => void notes.push(text);
  const { signal } = stop;
  const recording = recordFront({ command: words, generator, tape, port: 0, note, signal });
  recording.catch(() => {});
  await expect.poll(() => notes.length).toBe(1);
  try {
    await use(/at (http\S+);/.exec(notes[0]!)![1]!);
  } finally {
    stop.abort();
    await recording;
    await tape.close();
  }
  return linesOf(file);
}

describe("a recorder that serves a command over HTTP", () => {
  const command = [
    process.execPath,
    join(root, "test/peers/support/sdk-asking-server.mjs"),
    "stdio",
  ];

  it("passes the messages of sessions and their questions, a process for each session", async () => {
    const lines = await withFront("front", command, async (url) => {
      for (const name of ["first", "second"]) {
        const client = new OfficialClient(
          { name, version: "1.0.0" },
          { capabilities: { roots: {}, sampling: {}, elicitation: {} } },
        );
        client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: "file:///a" }] }));
        client.setRequestHandler(ElicitRequestSchema, () => ({
          action: "accept",
          content: { name: "Ada" },
        }));
        client.setRequestHandler(CreateMessageRequestSchema, () => ({
          role: "assistant",
          model: "m",
          content: { type: "text", text: "Paris" },
        }));
        await client.connect(new StreamableHTTPClientTransport(new URL(url)) as never);
        const { content } = await client.callTool({ name: "sequence", arguments: {} });
        expect(JSON.stringify(content)).toContain("Ada");
        await client.close();
      }
    });
    expect(new Set(lines.map(({ conversation }) => conversation))).toEqual(new Set([1, 2]));
    const found: Finding[] = [];
    for await (const finding of judgeTape(lines)) found.push(finding);
    expect(found).toEqual([]);
  });

  it("passes requests without a session", async () => {
    const program = "process.stdin.pipe(process.stdout)";
    const lines = await withFront("echo-front", [process.execPath, "-e", program], async (url) => {
      const post = (body: string, headers = {}) => fetch(url, { method: "POST", body, headers });
      expect((await post("{")).status).toBe(400);
      expect((await post("{}", { origin: "https://evil.test" })).status).toBe(403);
      expect((await post("{}", { "mcp-session-id": "none" })).status).toBe(404);
      expect((await fetch(url)).status).toBe(405);
      expect((await post('{"jsonrpc":"2.0","method":"a"}')).status).toBe(202);
      const waiting = await post('{"jsonrpc":"2.0","id":1,"method":"b"}');
      expect((await post('{"jsonrpc":"2.0","id":1,"method":"b"}')).status).toBe(400);
      await post('{"jsonrpc":"2.0","id":1,"result":{}}');
      expect(await waiting.text()).toContain('data: {"jsonrpc":"2.0","id":1,"result":{}}');
    });
    expect(lines.filter(({ from }) => from === "client")).toHaveLength(3);
  });

  it("ends with the reason if the command does not exist", async () => {
    const recorded = withFront("no-front", [join(folder, "none")], async (url) => {
      await fetch(url, { method: "POST", body: '{"jsonrpc":"2.0","id":1,"method":"b"}' });
    });
    await expect(recorded).rejects.toThrow("ENOENT");
  });
});

describe("a recorder in front of an HTTP server", () => {
  let upstream: Server;
  let seen: string[];
  beforeAll(async () => {
    seen = [];
    upstream = createServer((request, response) => {
      void (async () => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk as Buffer);
        seen.push(
          `${request.headers.host} ${request.headers.authorization} ${Buffer.concat(chunks).toString()}`,
        );
        if (request.url === "/mcp?stream=1") {
          response.writeHead(200, {
            "content-type": "text/event-stream",
            "mcp-session-id": "s3cr3t-session",
          });
          response.write(
            'id: 1\nevent: message\ndata: {"jsonrpc":"2.0","method":"a"}\n\n: comment\n\n',
          );
          response.end('data: {"jsonrpc":"2.0",\ndata: "id":1,"result":{}}\n\n');
        } else if (request.method === "DELETE") response.writeHead(404).end();
        else {
          response.writeHead(200, {
            "content-type": "application/json",
            "content-encoding": "gzip",
          });
          response.end(gzipSync('{"jsonrpc":"2.0","id":2,"result":{"token":"s3cr3t-token"}}'));
        }
      })();
    });
    upstream.listen(0, "127.0.0.1");
    await once(upstream, "listening");
  });
  afterAll(() => void upstream.close());

  it("passes bodies, statuses, events and encodings, and masks secrets on the tape", async () => {
    const file = join(folder, "http.tape.jsonl");
    const tape = await openTapeFile(file);
    const stop = new AbortController();
    const { port } = upstream.address() as AddressInfo;
    const notes: string[] = [];
    const url = new URL(`http://127.0.0.1:${port}/mcp?stream=1`);
    const recording = recordHttp({
      url,
      port: 0,
      generator,
      tape,
      note: (text) => notes.push(text),
      signal: stop.signal,
    });
    await expect.poll(() => notes.length).toBe(1);
    const [, address] = /at (http\S+);/.exec(notes[0]!)!;
    const headers = { authorization: "Bearer s3cr3t-bearer", "content-type": "application/json" };
    const body = '{"jsonrpc":"2.0", "id":1,"method":"initialize","params":{}}';
    const streamed = await fetch(`${address}?stream=1`, { method: "POST", headers, body });
    expect(await streamed.text()).toBe(
      'id: 1\nevent: message\ndata: {"jsonrpc":"2.0","method":"a"}\n\n: comment\n\ndata: {"jsonrpc":"2.0",\ndata: "id":1,"result":{}}\n\n',
    );
    const plain = await fetch(address!, {
      method: "POST",
      headers: { ...headers, "mcp-session-id": "s3cr3t-session" },
      body: '{"jsonrpc":"2.0","id":2,"method":"ping"}',
    });
    expect(await plain.json()).toEqual({
      jsonrpc: "2.0",
      id: 2,
      result: { token: "s3cr3t-token" },
    });
    expect(
      (await fetch(address!, { method: "DELETE", headers: { "mcp-session-id": "s3cr3t-session" } }))
        .status,
    ).toBe(404);
    stop.abort();
    await recording;
    await tape.close();
    expect(seen[0]).toBe(`127.0.0.1:${port} Bearer s3cr3t-bearer ${body}`);
    const lines = await linesOf(file);
    expect(
      lines.map(({ from, conversation, message, event, http }) => [
        from,
        conversation,
        (message as { method?: string } | undefined)?.method ?? event ?? "response",
        http?.status ?? http?.method,
      ]),
    ).toEqual([
      ["client", 1, "initialize", "POST"],
      ["server", 1, "a", 200],
      ["server", 1, "response", undefined],
      ["client", 1, "ping", "POST"],
      ["server", 1, "response", 200],
      ["client", 1, "request", "DELETE"],
      ["server", 1, "response", 404],
    ]);
    expect(JSON.stringify(lines)).not.toContain("s3cr3t");
    const sessions = lines.flatMap(({ http }) => http?.headers?.["mcp-session-id"] ?? []);
    expect(new Set(sessions).size).toBe(1);
  });

  it("notes once that the server cannot be reached", async () => {
    const port = await freePort();
    const tape = await openTapeFile(join(folder, "unreachable.tape.jsonl"));
    const stop = new AbortController();
    const notes: string[] = [];
    const note = (text: string) => void notes.push(text);
    const url = new URL(`http://127.0.0.1:${port}/mcp`);
    const recording = recordHttp({ url, port: 0, generator, tape, note, signal: stop.signal });
    await expect.poll(() => notes.length).toBe(1);
    const [, address] = /at (http\S+);/.exec(notes[0]!)!;
    for (let time = 0; time < 3; time += 1) {
      const { status } = await fetch(address!, { method: "POST", body: "{}" });
      expect(status).toBe(502);
    }
    stop.abort();
    await recording;
    await tape.close();
    expect(notes.slice(1)).toEqual([`http://127.0.0.1:${port} cannot be reached: ECONNREFUSED`]);
  });
});
