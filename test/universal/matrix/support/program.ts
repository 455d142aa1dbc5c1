import type { Authenticate } from "../../../../runtime/http-server/authentication.js";
import { createHttpHandler } from "../../../../runtime/http-server/create-http-handler.js";
import { createSseHandler } from "../../../../runtime/http-server/create-sse-handler.js";
import { listen } from "../../../../runtime/http-server/node/listen.js";
import { serveStdio } from "../../../../runtime/transport/stdio.js";
import { matrixServer } from "../server.js";

const authenticate: Authenticate = (head) => {
  const [, principal] = /^Bearer (\w+)$/.exec(head.header("authorization") ?? "") ?? [];
  return principal === undefined ? "anonymous" : { principal };
};

/**
 * One server at all its wires at once: `program.mjs KEY [http] [MILLISECONDS]`. With `http` it prints its port and has
 * no pipes, else it says the port on stderr. The key is in hexadecimal, the time is what clients have for answers.
 */
export async function main(): Promise<void> {
  const [, , hex = "", wires, timeToAnswer] = process.argv;
  const key = Uint8Array.from(hex.match(/../g)!, (byte) => Number.parseInt(byte, 16));
  const time = timeToAnswer === undefined ? {} : { timeToAnswer: Number(timeToAnswer) };
  const server = matrixServer({ rounds: { keys: [key], ...time } });
  const http = createHttpHandler(server, { authenticate });
  const sse = createSseHandler(server, { authenticate });
  const { port } = await listen({ "/mcp": http, "/sse": sse, "/messages": sse });
  if (wires === "http") return void process.stdout.write(`${port}\n`);
  process.stderr.write(`${port}\n`);
  await serveStdio(server);
}
