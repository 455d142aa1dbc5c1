import { Server } from "@mcp-codegen/2026-07-28";
import { serveStdio } from "../../../../runtime/stdio/serve-stdio.js";
import { ASKING_HANDLERS } from "./asking-tools.js";

/** Runs a server in its own process. Its argument is the key that it shares with others, in hexadecimal. */
export async function main(): Promise<void> {
  const key = Uint8Array.from(process.argv[2]!.match(/../g)!, (byte) => Number.parseInt(byte, 16));
  const info = { name: "asking", version: "1" };
  const server = new Server(info, ASKING_HANDLERS as object, { rounds: { keys: [key] } });
  await serveStdio(server);
}
