import { Server } from "@mcp-codegen/2026-07-28";
import { createHttpHandler } from "../../../../../runtime/http/server/index.js";
import { listen } from "../../../../../runtime/http/node/index.js";
import { ASKING_HANDLERS } from "../../../../stateless/rounds/support/asking-tools.js";

/**
 * Runs a server in its own process, on a port that it prints. The argument is the key that it shares with other
 * servers, in hexadecimal.
 */
export async function main(): Promise<void> {
  const key = Uint8Array.from(process.argv[2]!.match(/../g)!, (byte) => Number.parseInt(byte, 16));
  const info = { name: "asking", version: "1" };
  const server = new Server(info, ASKING_HANDLERS as object, { rounds: { keys: [key] } });
  const { port } = await listen(createHttpHandler(server));
  process.stdout.write(`${port}\n`);
}
