import { describe, expect, it } from "vitest";
import { McpServer } from "../../../generated/universal/index.js";
import { memoryPair } from "../../../runtime/memory/memory-pair.js";
import { revisions } from "./revisions.js";

const [R2411, R2503, R2506, R2511] = revisions.map(({ id }) => id);
const icons = [{ src: "https://example.com/icon.png" }];

function notes(): McpServer {
  const info = { name: "notes", version: "1", title: "Notes", icons };
  const server = new McpServer(info);
  server.registerTool(
    "hear",
    { title: "Hear", description: "Plays a note", icons, _meta: { own: 1 } },
    () => ({
      content: [{ type: "audio", data: "c2VjcmV0", mimeType: "audio/wav" }],
      structuredContent: [440],
    }),
  );
  server.registerResource("a", "note:a", { title: "A", icons }, () => "a");
  return server;
}

// oxlint-disable-next-line typescript/no-explicit-any
type Answer = any;

/** Returns every answer that a client of a revision with a handshake receives, by id. */
async function answers(protocolVersion: string): Promise<Record<number, Answer>> {
  const [near, far] = memoryPair();
  const found: Record<number, unknown> = {};
  const arrived = new Promise<void>((resolve) => {
    near.start({
      message(message) {
        const { id, result, error } = message as Record<string, unknown>;
        found[id as number] = result ?? error;
        if (Object.keys(found).length === 5) resolve();
      },
      malformed: () => {},
      closed: () => {},
      ended: () => {},
      failed: () => {},
    } as Parameters<typeof near.start>[0]);
  });
  const server = notes();
  await server.connect(far);
  const ask = (id: number, method: string, params: object = {}): unknown =>
    near.send({ jsonrpc: "2.0", id, method, params } as Parameters<typeof near.send>[0]);
  const clientInfo = { name: "c", version: "1" };
  ask(1, "initialize", { protocolVersion, capabilities: {}, clientInfo });
  near.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  ask(2, "tools/list");
  ask(3, "tools/call", { name: "hear" });
  ask(4, "resources/list");
  ask(5, "resources/read", { uri: "note:none" });
  await arrived;
  await server.close();
  return found;
}

describe("one server at each revision (MATRIX-01)", () => {
  const tool = { name: "hear", description: "Plays a note", inputSchema: { type: "object" } };
  const audio = { type: "audio", data: "c2VjcmV0", mimeType: "audio/wav" };
  const json = { type: "text", text: "[440]" };
  const resource = { uri: "note:a", name: "a" };
  const info = { name: "notes", version: "1" };

  it.each([
    {
      id: R2411!,
      serverInfo: info,
      tools: [tool],
      resources: [resource],
      content: [
        {
          type: "text",
          text: "[audio (audio/wav): not available in this version of the protocol]",
        },
        json,
      ],
    },
    {
      id: R2503!,
      serverInfo: info,
      tools: [{ ...tool, annotations: { title: "Hear" } }],
      resources: [resource],
      content: [audio, json],
    },
    {
      id: R2506!,
      serverInfo: { ...info, title: "Notes" },
      tools: [{ ...tool, title: "Hear", _meta: { own: 1 } }],
      resources: [{ ...resource, title: "A" }],
      content: [audio, json],
    },
    {
      id: R2511!,
      serverInfo: { ...info, title: "Notes", icons },
      tools: [{ ...tool, title: "Hear", icons, _meta: { own: 1 } }],
      resources: [{ ...resource, title: "A", icons }],
      content: [audio, json],
    },
  ])("$id", async ({ id, serverInfo, tools, resources, content }) => {
    const { 1: hello, 2: listed, 3: called, 4: found, 5: missing } = await answers(id);
    expect(hello).toMatchObject({ protocolVersion: id });
    expect(hello.serverInfo).toEqual(serverInfo);
    expect(listed.tools).toHaveLength(1);
    expect({ ...listed.tools[0], inputSchema: { type: "object" } }).toEqual(tools[0]);
    const wrapped = id >= "2025-06-18" ? { structuredContent: { result: [440] } } : {};
    expect(called).toEqual({ content, ...wrapped });
    expect(found).toEqual({ resources });
    expect(missing).toMatchObject({ code: -32002, data: { uri: "note:none" } });
  });
});
