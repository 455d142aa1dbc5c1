import {
  type Authenticate,
  createHttpHandler,
  createSseHandler,
} from "../../../../runtime/http/server/index.js";
import { listen } from "../../../../runtime/http/node/index.js";
import { serveStdio } from "../../../../runtime/stdio/serve-stdio.js";
import { matrixServer } from "../server.js";

const authenticate: Authenticate = (head) => {
  const [, principal] = /^Bearer (\w+)$/.exec(head.header("authorization") ?? "") ?? [];
  return principal === undefined ? "anonymous" : { principal };
};

/** Serves over HTTP in all ways. The key is given in hexadecimal, the time in milliseconds. */
export async function serveAll(hex: string, timeToAnswer?: number) {
  const key = Uint8Array.from(hex.match(/../g)!, (byte) => Number.parseInt(byte, 16));
  const server = matrixServer({ rounds: { keys: [key], timeToAnswer } });
  const http = createHttpHandler(server, { authenticate });
  const sse = createSseHandler(server, { authenticate });
  const { port } = await listen({ "/mcp": http, "/sse": sse, "/messages": sse });
  return { server, port };
}

/** Runs one server with all its transports at once: `program.mjs KEY [MILLISECONDS]`. It prints its port on stderr. */
export async function main(): Promise<void> {
  const [, , hex = "", time] = process.argv;
  const { server, port } = await serveAll(hex, time === undefined ? undefined : Number(time));
  process.stderr.write(`${port}\n`);
  await serveStdio(server);
}
