import * as theirs2 from "@modelcontextprotocol/client";
import * as theirServer2 from "@modelcontextprotocol/server";
import * as theirClient1 from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport as TheirPipe1 } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer as TheirServer1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import * as theirTypes1 from "@modelcontextprotocol/sdk/types.js";
import * as ours2 from "@mcp-codegen/sdk/client";
import * as ourClient1 from "@mcp-codegen/sdk/client/index.js";
import * as ourTypes1 from "@mcp-codegen/sdk/types.js";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { CLIENT_PROGRAMS, type Library, type Program, transcriptOf } from "./client-programs.js";

/*
 * Each program runs with the official client and with ours, over the official in-memory transport
 * (for ours, a custom transport), against the same official server. Both must observe the same.
 */

const text = (said: string) => ({ content: [{ type: "text" as const, text: said }] });

/** Creates the official server's tools and resources, with the same calls in both versions. */
function serverOf(McpServer: typeof theirServer2.McpServer, errorClass: Library["ErrorClass"]) {
  const server = new McpServer(
    { name: "official", version: "1.2.3" },
    { capabilities: { logging: {}, tools: { listChanged: true } }, instructions: "Be brief." },
  );
  const sum = z.object({ sum: z.number() });
  const adding = {
    description: "Adds",
    inputSchema: z.object({ a: z.number() }),
    outputSchema: sum,
  };
  server.registerTool("add", adding, ({ a }) => ({
    ...text(String(a + 1)),
    structuredContent: { sum: a + 1 },
  }));
  server.registerTool("fail", {}, () => {
    throw new Error("no such note");
  });
  server.registerTool("link", {}, () => {
    const elicitations = [
      { mode: "url", message: "Log in", url: "https://a.example", elicitationId: "1" },
    ];
    throw new errorClass(-32042, "Log in first", { elicitations });
  });
  server.registerTool("slow", {}, () => new Promise((done) => setTimeout(done, 400, text("late"))));
  server.registerTool("steps", { inputSchema: z.object({}) }, async (_, context) => {
    const { mcpReq, _meta, sendNotification } = context as never as {
      mcpReq?: { _meta?: { progressToken?: number }; notify: (message: object) => Promise<void> };
      _meta?: { progressToken?: number };
      sendNotification: (message: object) => Promise<void>;
    };
    const { _meta: meta } = mcpReq ?? { _meta };
    const progressToken = meta?.progressToken;
    const notify = (message: object) =>
      mcpReq ? mcpReq.notify(message) : sendNotification(message);
    for (const progress of [1, 2]) {
      const params = { progressToken, progress, total: 2, message: `step ${progress}` };
      await notify({ method: "notifications/progress", params });
    }
    return text("done");
  });
  server.registerTool("news", {}, () => {
    server.server
      .sendLoggingMessage({ level: "error", logger: "l", data: { a: 1 } })
      .catch(() => {});
    server.sendToolListChanged();
    return text("told");
  });
  server.registerTool("ask", {}, async () => {
    const requestedSchema = {
      type: "object" as const,
      properties: { name: { type: "string" as const } },
    };
    const answer = await server.server.elicitInput({ message: "Name?", requestedSchema });
    return text(JSON.stringify(answer));
  });
  server.registerTool("roots", {}, async () =>
    text(JSON.stringify(await server.server.listRoots())),
  );
  server.registerTool("sample", {}, async () => {
    const messages = [{ role: "user" as const, content: { type: "text" as const, text: "hi" } }];
    return text(JSON.stringify(await server.server.createMessage({ messages, maxTokens: 5 })));
  });
  server.registerResource("note", "note://1", { mimeType: "text/plain" }, (uri) => ({
    contents: [{ uri: uri.href, text: "a note" }],
  }));
  return server;
}

/** Returns the members that have a value. */
const known = (seen: object) =>
  Object.fromEntries(Object.entries(seen).filter(([, value]) => value !== undefined));

interface Generation {
  readonly theirs: Library;
  readonly ours: Library;
  readonly McpServer: typeof theirServer2.McpServer;
  readonly Pipe: { createLinkedPair(): [never, never] };
}

const GENERATIONS: Readonly<Record<string, Generation>> = {
  "version 1": {
    theirs: {
      ...theirClient1,
      ...theirTypes1,
      ErrorClass: theirTypes1.McpError,
      isVersion1: true,
    } as never,
    ours: {
      ...ourClient1,
      ...ourTypes1,
      ErrorClass: ourTypes1.McpError,
      isVersion1: true,
    } as never,
    McpServer: TheirServer1 as never,
    Pipe: TheirPipe1 as never,
  },
  "version 2": {
    theirs: { ...theirs2, ErrorClass: theirs2.ProtocolError } as never,
    ours: { ...ours2, ErrorClass: ours2.ProtocolError } as never,
    McpServer: theirServer2.McpServer,
    Pipe: theirs2.InMemoryTransport as never,
  },
};

describe.each(Object.entries(GENERATIONS))("clients of %s", (version, generation) => {
  const { theirs, ours, McpServer, Pipe } = generation;
  const ErrorClass = (
    version === "version 1" ? theirTypes1.McpError : theirServer2.ProtocolError
  ) as never;

  const run = (library: Library, program: Program) => {
    const server = serverOf(McpServer, ErrorClass);
    const [near, far] = Pipe.createLinkedPair();
    return transcriptOf(library, program, {
      transport: near,
      serve: () => server.connect(far),
      end: () => server.close(),
    });
  };
  const programs = Object.entries(CLIENT_PROGRAMS).filter(
    ([, { versions }]) => versions === undefined || versions.includes(version),
  );

  it.each(programs)("observe the same: %s", async (_, { program }) => {
    const expected = await run(theirs, program);
    expect(expected.length).toBeGreaterThan(0);
    const actual = await run(ours, program);
    expect(actual).toHaveLength(expected.length);
    // Results are equal; our errors may have a code where the official ones have none.
    for (const [place, seen] of expected.entries()) {
      if (Array.isArray(seen)) expect(actual[place]).toEqual(seen);
      else expect(actual[place]).toMatchObject(known(seen as object));
    }
  });
});
