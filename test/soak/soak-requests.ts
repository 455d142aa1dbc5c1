import { memoryPair } from "../../runtime/memory/memory-pair.js";
import { StdioClientTransport } from "../../runtime/stdio/client/stdio-client.js";
import type { Transport } from "../../runtime/wire/messages/transport.js";
import { everythingServer } from "../behaviour/server/everything-server.js";
import type { Package } from "../behaviour/support/packages.js";
import { type Figures, takeFigures, type Verdict } from "./figures.js";

/** Sends requests on one connection within this process. */
export async function soakMemory(from: Package, count: number): Promise<Verdict> {
  const [near, far] = memoryPair();
  const server = everythingServer(from, () => {});
  await server.connect(far);
  return soakConnection(from, near, count, `${count} requests in memory`, takeFigures);
}

/** Sends requests to a child process; the figures cover both processes. */
export async function soakStdio(
  from: Package,
  args: readonly string[],
  count: number,
): Promise<Verdict> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ["--expose-gc", ...args],
    stderr: "keep",
  });
  const part = `${count} requests over stdio`;
  return soakConnection(from, transport, count, part, async (client) => {
    const { content } = await client.callTool({ name: "figures", arguments: {} });
    const there = JSON.parse((content[0] as { text: string }).text) as Figures;
    const here = await takeFigures();
    return { heap: here.heap + there.heap, handles: sum(here.handles, there.handles) };
  });
}

function sum(one: Figures["handles"], other: Figures["handles"]): Figures["handles"] {
  const kinds = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries(
    [...kinds].map((kind) => [kind, (one[kind] ?? 0) + (other[kind] ?? 0)]),
  );
}

type Client = InstanceType<Package["Client"]>;

async function soakConnection(
  from: Package,
  transport: Transport,
  count: number,
  part: string,
  figures: (client: Client) => Promise<Figures>,
): Promise<Verdict> {
  const client = new from.Client({ name: "soak", version: "1.0.0" });
  await client.connect(transport);
  const errors: unknown[] = [];
  await send(client, Math.ceil(count / 2), errors);
  const before = await figures(client);
  const start = performance.now();
  await send(client, count, errors);
  const seconds = (performance.now() - start) / 1000;
  const after = await figures(client);
  await client.close();
  return { part, before, after, left: { errors: errors.length }, seconds };
}

/** Sends requests of several kinds, many at a time; some are cancelled, and some fail. */
async function send(client: Client, count: number, errors: unknown[]): Promise<void> {
  const kinds = [
    () => client.callTool({ name: "echo", arguments: { value: "a" } as never }),
    () => client.ping(),
    () => client.listTools(),
    () => client.readResource({ uri: "note://1" }),
    () => refused(client.readResource({ uri: "note://none" })),
    () => cancelled(client),
    () => client.callTool({ name: "echo" }, { onprogress: () => {} }),
  ];
  let sent = 0;
  const work = async (): Promise<void> => {
    while (sent < count) {
      sent += 1;
      await kinds[sent % 50 < kinds.length ? sent % 50 : 0]!();
    }
  };
  await Promise.all(Array.from({ length: 64 }, work)).catch((error: unknown) => errors.push(error));
}

async function refused(asking: Promise<unknown>): Promise<void> {
  const outcome = await asking.then(
    () => "answered",
    () => "refused",
  );
  if (outcome !== "refused") throw new Error("What does not exist was read");
}

async function cancelled(client: Client): Promise<void> {
  const controller = new AbortController();
  const options = { signal: controller.signal };
  const waiting = client.callTool({ name: "wait", arguments: { label: "soak" } as never }, options);
  controller.abort(new Error("enough"));
  await refused(waiting);
}
