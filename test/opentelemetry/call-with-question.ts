import { Client, Server } from "../../generated/2026-07-28/index.js";
import type { Feature } from "../../runtime/api/feature.js";
import { memoryPair } from "../../runtime/memory/memory-pair.js";

/**
 * Calls a tool that requests roots, which takes two rounds, with features on both sides.
 * @returns the client
 */
export async function callWithQuestion(features: () => readonly Feature[]): Promise<Client> {
  const info = { name: "test", version: "1.0.0" };
  const server = new Server(
    info,
    {
      "tools/call": async (_, { request }) => {
        await request("roots/list");
        return { content: [] };
      },
    },
    { features: features() },
  );
  const client = new Client(
    info,
    { "roots/list": () => ({ roots: [] }) },
    { features: features() },
  );
  const [ours, theirs] = memoryPair();
  await server.connect(theirs);
  await client.connect(ours);
  await client.callTool({ name: "t", arguments: {} });
  return client;
}
