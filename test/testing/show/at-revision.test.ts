import { testClient } from "@mcp-codegen/testing";
import { openTape, type TapeLine } from "@mcp-codegen/testing/tape";
import { McpServer } from "@mcp-codegen/universal/server";
import { revisions } from "@mcp-codegen/universal/revisions";
import { beforeAll, describe, expect, it } from "vitest";
import { projectedServer } from "../../../runtime/testing/replay/projected-server.js";
import { readScript } from "../../../runtime/testing/replay/tape-script.js";
import { atRevision } from "../../../runtime/testing/show/model/at-revision.js";
import { readRows, type Rows } from "../../../runtime/testing/show/model/read-rows.js";
import type { Row } from "../../../runtime/testing/show/model/row.js";
import { session, stateless, tapeOf } from "./tapes.js";

const [newest] = revisions;
const older = revisions.slice(1);

/** Creates a server with something that each older revision lacks. */
function createServer(): McpServer {
  const server = new McpServer({ name: "radio", title: "Radio", version: "1.0.0" });
  server.registerTool(
    "listen",
    {
      title: "Listen",
      description: "Plays",
      icons: [{ src: "https://example.com/icon.png" }],
      inputSchema: { type: "object", properties: { station: { type: "string" } } },
      outputSchema: { type: "array", items: { type: "number" } },
      annotations: { readOnlyHint: true },
    },
    () => ({
      content: [
        { type: "audio", data: "AAAA", mimeType: "audio/wav" },
        { type: "resource_link", uri: "https://example.com/a", name: "a" },
      ],
      structuredContent: [1, 2],
    }),
  );
  server.registerPrompt("greet", { title: "Greet", description: "Greets" }, () => ({
    messages: [{ role: "user", content: { type: "audio", data: "AAAA", mimeType: "audio/wav" } }],
  }));
  server.registerResource("log", "file:///log", { title: "Log", size: 3 }, () => ({
    contents: [{ uri: "file:///log", text: "abc" }],
  }));
  return server;
}

/** Returns the messages of one conversation at a revision. */
async function converse(server: McpServer, revision: string): Promise<readonly TapeLine[]> {
  const client = await testClient(server, { revision, failOnLoss: false });
  await client.listTools();
  await client.callTool("listen", { station: "x" });
  await client.listPrompts();
  await client.getPrompt("greet");
  await client.listResources();
  await client.readResource("file:///log");
  await client.callTool("nothing").catch(() => undefined);
  const { lines } = client;
  await client.close();
  return lines;
}

function rowsOf(lines: readonly TapeLine[]): Rows {
  const rows = readRows();
  for (const line of lines) rows.add(line);
  return rows;
}

/** Returns requests and responses by method and subject, without their ids. */
function byMethod({ rows }: Pick<Rows, "rows">): Map<string, Row> {
  return new Map(
    rows.map((row) => [
      `${row.kind === "request" ? "request" : "response"} ${row.method} ${row.name}`,
      row,
    ]),
  );
}

const withoutId = (message: unknown): unknown => ({ ...(message as object), id: 0 });

const OPENING = /^\S+ (?:initialize|server\/discover) /;

describe("a message at another revision", () => {
  let lines: ReadonlyMap<string, readonly TapeLine[]>;
  beforeAll(async () => {
    const pairs = revisions.map(
      async ({ id }) => [id, await converse(createServer(), id)] as const,
    );
    lines = new Map(await Promise.all(pairs));
  });

  it.each(older)("is what universal sends at $id, from the newest", (target) => {
    const tape = rowsOf(lines.get(newest!.id)!);
    const expected = byMethod(rowsOf(lines.get(target.id)!));
    const compared = [...byMethod(tape)].filter(([key]) => expected.has(key) && !OPENING.test(key));
    const shown = compared.map(([key, row]) => {
      const { messages } = atRevision(row, target, tape.peersOf(row));
      return [key, messages.map(withoutId)];
    });
    expect(compared.length).toBeGreaterThanOrEqual(12);
    expect(shown).toEqual(compared.map(([key]) => [key, [withoutId(expected.get(key)!.message)]]));
  });

  it.each(older)("is what a replay sends at the newest, from $id", async (source) => {
    const recorded = lines.get(source.id)!;
    const tape = rowsOf(recorded);
    const text = tapeOf(recorded);
    const server = projectedServer(await readScript([text]), newest!);
    const replayed = byMethod(rowsOf(await converse(server, newest!.id)));
    const compared = [...byMethod(tape)].filter(([key]) => replayed.has(key) && !OPENING.test(key));
    const shown = compared.map(([key, row]) => {
      const { messages } = atRevision(row, newest!, tape.peersOf(row));
      return [key, messages.map(withoutId)];
    });
    expect(compared.length).toBeGreaterThanOrEqual(12);
    expect(shown).toEqual(compared.map(([key]) => [key, [withoutId(replayed.get(key)!.message)]]));
  });

  it("has its losses", () => {
    const tape = rowsOf(lines.get(newest!.id)!);
    const row = byMethod(tape).get("response tools/call listen")!;
    const { losses } = atRevision(row, revisions.at(-1)!, tape.peersOf(row));
    expect(losses.map(({ path, reason }) => `${path} ${reason}`)).toEqual([
      "/structuredContent does not exist",
      "/content/0 is a kind of content that this revision does not have",
      "/content/1 is a kind of content that this revision does not have",
    ]);
    expect(atRevision(row, revisions.at(-1)!, tape.peersOf(row)).losses).toEqual(losses);
  });
});

async function translation(text: string, n: number, id: string) {
  const rows = readRows();
  for await (const line of await openTape([text])) rows.add(line);
  const row = rows.rows.find(({ line }) => line.n === n)!;
  return atRevision(
    row,
    revisions.find((one) => one.id === id)!,
    rows.peersOf(row),
  );
}

describe("what has no counterpart", () => {
  it("names what stands in its place", async () => {
    const opening = await translation(tapeOf(session), 1, newest!.id);
    expect([opening.messages, opening.note]).toEqual([
      [],
      `${newest!.id} has no initialize. Instead, there is server/discover.`,
    ]);
    const text = await translation(tapeOf(session), 4, newest!.id);
    expect(text.note).toBe("This is not a message of the protocol.");
  });

  it("is the question of a round as a request, and its answer as a response", async () => {
    const [, session2] = revisions;
    const question = await translation(tapeOf(stateless, { transport: "http" }), 8, session2!.id);
    expect(question.messages).toMatchObject([
      { id: "sure", method: "elicitation/create", params: { message: "Sure?" } },
    ]);
    const answer = await translation(tapeOf(stateless, { transport: "http" }), 9, session2!.id);
    expect(answer.messages).toEqual([
      { jsonrpc: "2.0", id: "sure", result: { action: "accept", content: {} } },
    ]);
    const embedded = await translation(tapeOf(session), 9, newest!.id);
    expect(embedded.note).toContain("inputRequests");
  });

  it("is translated with a remark if it does not fit its own revision", async () => {
    const broken = await translation(tapeOf(session), 26, newest!.id);
    expect(broken.note).toContain("does not fit");
  });
});
