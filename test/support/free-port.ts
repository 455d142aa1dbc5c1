import { once } from "node:events";
import { createServer } from "node:net";

/**
 * The ports below those that systems use for outgoing connections, which could otherwise take a free port at any time.
 */
const FIRST = 12_000;
const LAST = 32_000;

/** Returns a loopback port on this machine that no process uses. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST));
    const server = createServer().listen(port, "127.0.0.1");
    try {
      await once(server, "listening");
    } catch {
      continue;
    }
    server.close();
    await once(server, "close");
    return port;
  }
}
