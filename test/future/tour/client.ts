import { EventEmitter, once } from "node:events";
import { connect, createHttpHandler, type McpClient, revisions } from "@mcp-codegen/universal";
import { listen } from "@mcp-codegen/runtime/http/node";
import { handlers, use } from "./candidate.js";
import { tourServer } from "./server.js";

type Target = Parameters<typeof connect>[0];
type Revision = (typeof revisions)[number];

const CHANGES = ["toolsChanged", "promptsChanged", "resourcesChanged"] as const;

/** Uses everything that the server offers at one revision. */
async function visit(target: Target, revision: Revision, isNewest: boolean) {
  const errors: string[] = [];
  const client = await connect(target, {
    revisions: [revision],
    // A slow start must not be mistaken for a server of older revisions.
    probeTimeout: 60_000,
    cache: false,
    onerror: ({ name, message }) => void errors.push(`${name}: ${message}`),
    ...(isNewest && { handlers }),
    onElicit: () => ({ action: "accept", content: { city: "Rome" } }),
  });
  const lists: number[] = [0, 0, 0, 0];
  for await (const _ of client.tools()) lists[0]! += 1;
  for await (const _ of client.prompts()) lists[1]! += 1;
  for await (const _ of client.resources()) lists[2]! += 1;
  for await (const _ of client.resourceTemplates()) lists[3]! += 1;
  let progress = 0;
  const onprogress = (): void => void (progress += 1);
  const texts = [
    await textOf(client, "greet", { name: revision.id }),
    await textOf(client, "count", {}, onprogress),
    await textOf(client, "ask"),
    (await client.getPrompt("plan")).messages.length,
    (await client.readResource("note:///b")).contents.length,
  ];
  const changes = await changesOf(client);
  const used = isNewest ? await use(client) : undefined;
  await client.ping();
  const problems: unknown = JSON.parse(await textOf(client, "problems"));
  await client.close();
  return { revision: client.revision, lists, texts, progress, changes, errors, problems, used };
}

async function textOf(
  client: McpClient,
  name: string,
  args: Record<string, unknown> = {},
  onprogress?: () => void,
): Promise<string> {
  const { content } = await client.callTool(name, args, onprogress && { onprogress });
  const [first] = content;
  return first?.type === "text" ? first.text : JSON.stringify(first);
}

/** Changes everything once and waits for the notifications. */
async function changesOf(client: McpClient): Promise<string[]> {
  const events = new EventEmitter();
  const missing = new Set<string>([...CHANGES, "resourceUpdated"]);
  const seen = (name: string) => (): void => {
    missing.delete(name);
    if (missing.size === 0) events.emit("all");
  };
  const stops = CHANGES.map((name) => client.on(name, seen(name)));
  await Promise.all(stops.map((stop) => stop.ready));
  await client.subscribe("note:///a", seen("resourceUpdated"));
  const all = once(events, "all", { signal: AbortSignal.timeout(20_000) });
  await textOf(client, "change");
  await all.catch(() => {});
  for (const stop of stops) stop();
  await client.unsubscribe("note:///a");
  return [...missing];
}

const web = await listen(createHttpHandler(tourServer(), { onerror: () => {} }));
const program = { command: process.execPath, args: [process.argv[2]!] };
const visits: unknown[] = [];
for (const target of [program, web.url]) {
  for (const [index, revision] of revisions.entries()) {
    const transport = typeof target === "string" ? "http" : "stdio";
    visits.push({ transport, ...(await visit(target, revision, index === 0)) });
  }
}
await web.close();
console.log(JSON.stringify(visits));
