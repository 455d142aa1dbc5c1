import { InMemoryTransport as OurTransport } from "@mcp-codegen/sdk/inMemory.js";
import * as ours from "@mcp-codegen/sdk/server";
import { McpServer as OurServer1 } from "@mcp-codegen/sdk/server/mcp.js";
import { InMemoryTransport as Transport2 } from "@modelcontextprotocol/client";
import { InMemoryTransport as Transport1 } from "@modelcontextprotocol/sdk/inMemory.js";
import * as theirs1 from "@modelcontextprotocol/sdk/server/mcp.js";
import * as theirs from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import * as z from "zod";

/** The classes of one SDK version, and how it accepts the members of an object. */
interface Kit {
  readonly McpServer: typeof ours.McpServer;
  readonly ResourceTemplate: typeof ours.ResourceTemplate;
  readonly InMemoryTransport: typeof OurTransport;
  readonly object: (members: z.ZodRawShape) => z.ZodObject;
}

const members = (shape: z.ZodRawShape) => shape as never;
const [ours1, ours2] = [
  { ...ours, McpServer: OurServer1, InMemoryTransport: OurTransport, object: members } as Kit,
  { ...ours, InMemoryTransport: OurTransport, object: z.object } as Kit,
];
const [sdk1, sdk2] = [
  { ...theirs1, InMemoryTransport: Transport1, object: members } as unknown as Kit,
  { ...theirs, InMemoryTransport: Transport2, object: z.object } as unknown as Kit,
];

const icons = [{ src: "https://example.com/a.png", mimeType: "image/png", sizes: ["48x48"] }];
const more = { icons, _meta: { "example.com/kind": "plan" } };
const info = {
  name: "rich",
  version: "1.0.0",
  title: "Rich",
  description: "Has everything",
  websiteUrl: "https://example.com/",
  icons,
};

/** Properties of each kind: with and without defaults, optional, and nested. */
const properties = {
  plain: z.string().describe("A text"),
  optional: z.number().int().min(1).optional(),
  nullish: z.string().nullish(),
  default: z.string().default("x"),
  prefault: z.string().prefault("x"),
  unknown: z.unknown(),
  list: z.array(z.object({ kind: z.enum(["a", "b"]) })),
  either: z.union([z.string(), z.boolean()]),
};

const result = () => ({ content: [] }) as never;

/** Creates a server with definitions that have every member. */
function rich({ McpServer, ResourceTemplate, object }: Kit) {
  const server = new McpServer(info, { instructions: "Use it" });
  const annotations = { readOnlyHint: true, title: "All" };
  const schemas = { inputSchema: object(properties), outputSchema: object(properties) };
  const tool = { title: "All", description: "Does all", annotations, ...schemas, ...more };
  server.registerTool("all", tool, result);
  server.registerTool("none", {}, result);
  server.registerTool("empty", { inputSchema: object({}) }, result);
  const argsSchema = object({ city: z.string().describe("A city"), day: z.string().optional() });
  const prompt = { title: "Plan", description: "Plans", argsSchema, ...more };
  server.registerPrompt("plan", prompt as object, () => ({ messages: [] }));
  server.registerPrompt("none", {}, () => ({ messages: [] }));
  const described = { title: "Note", description: "A note", mimeType: "text/plain", ...more };
  const resource = { ...described, annotations: { priority: 1 }, size: 3 };
  server.registerResource("motd", "notes://motd", resource, () => ({ contents: [] }));
  server.registerResource("none", "notes://none", {}, () => ({ contents: [] }));
  const template = new ResourceTemplate("notes://{id}", { list: undefined });
  server.registerResource("note", template, described, () => ({ contents: [] }));
  return server;
}

/** Returns the results in which a server describes itself to a client at a revision. */
async function sent(kit: Kit, protocolVersion: string): Promise<unknown[]> {
  const [near, far] = kit.InMemoryTransport.createLinkedPair();
  await rich(kit).connect(far);
  const answers: { id: number; result: unknown }[] = [];
  near.onmessage = (message) => void answers.push(message as never);
  await near.start();
  const clientInfo = { name: "reader", version: "1.0.0" };
  const requests: [string, object][] = [
    ["initialize", { protocolVersion, capabilities: {}, clientInfo }],
    ...["tools", "prompts", "resources", "resources/templates"].map((list): [string, object] => [
      `${list}/list`,
      {},
    ]),
  ];
  for (const [index, [method, params]] of requests.entries()) {
    await near.send({ jsonrpc: "2.0", id: index, method, params });
    await expect.poll(() => answers.find(({ id }) => id === index)).toBeDefined();
    if (index === 0) await near.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  }
  await near.close();
  return answers.map((answer) => answer.result);
}

/** Adds the names of the members that differ between two values. */
function compare(own: unknown, other: unknown, name: string, found: Set<string>): void {
  if (JSON.stringify(own) === JSON.stringify(other)) return;
  const areObjects = [own, other].every((one) => typeof one === "object" && one !== null);
  if (!areObjects) return void found.add(name);
  const [a, b] = [own, other] as [Record<string, unknown>, Record<string, unknown>];
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    compare(a[key], b[key], /^\d+$/.test(key) ? name : key, found);
  }
}

/**
 * The members of definitions and of the server's name that a revision does not have. They are not sent at that
 * revision.
 */
const absent: Readonly<Record<string, readonly string[]>> = {
  "2025-11-25": [],
  "2025-06-18": ["description", "icons", "websiteUrl"],
  "2025-03-26": ["_meta", "description", "icons", "outputSchema", "title", "websiteUrl"],
  "2024-11-05": [
    "_meta",
    "annotations",
    "description",
    "icons",
    "outputSchema",
    "title",
    "websiteUrl",
  ],
};

/** The members that differ from version 1 at every revision that has them; the migration guide states the reasons. */
const OF_VERSION_1 = ["$schema", "_meta", "execution", "icons"];

/** Capabilities that were not declared are sent as false. */
const UNDECLARED = ["subscribe"];

describe.each(Object.entries(absent))("what a server sends at %s", (revision, lacking) => {
  it.each([
    ["version 2", ours2, sdk2, []],
    ["version 1", ours1, sdk1, OF_VERSION_1],
  ] as const)("is what %s sends, except for known members", async (_, own, other, differing) => {
    const [sentHere, sentThere] = await Promise.all([sent(own, revision), sent(other, revision)]);
    const found = new Set<string>();
    compare(sentHere, sentThere, "", found);
    const expected = new Set([...lacking, ...differing, ...UNDECLARED]);
    expect([...found].toSorted()).toEqual([...expected].toSorted());
  });
});
