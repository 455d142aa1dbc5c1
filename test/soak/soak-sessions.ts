import { createHttpHandler } from "../../runtime/http/server/index.js";
import { HttpClientTransport } from "../../runtime/http/client/index.js";
import { listen } from "../../runtime/http/node/index.js";
import type { Session } from "../../runtime/api/handlers.js";
import { everythingServer } from "../behaviour/server/everything-server.js";
import type { Package } from "../behaviour/support/packages.js";
import { takeFigures, type Verdict } from "./figures.js";

/** The milliseconds for which a session lives after its client has left silently; longer than a busy machine stalls. */
const TTL = 5000;

/** Only this sample of the sessions is watched until they are gone, so that watching itself needs almost no memory. */
const WATCHED = 100;

/** Opens sessions over HTTP and ends them in every way: with DELETE, or silently. */
export async function soakSessions(from: Package, count: number): Promise<Verdict> {
  const errors: Error[] = [];
  const onerror = (error: Error): void => void errors.push(error);
  const server = everythingServer(from, onerror);
  const handler = createHttpHandler(server, { sessionTtl: TTL, onerror });
  const listening = await listen(handler);
  const sessions = new WatchedSessions();
  const open = async (total: number): Promise<void> => {
    let next = 0;
    const work = async (): Promise<void> => {
      while (next < total) {
        next += 1;
        await visit(from, listening.url, next);
        if (next % WATCHED === 0) sessions.watch(server.sessions);
      }
    };
    await Promise.all(Array.from({ length: 8 }, work));
    await untilGone(() => handler.sessions + server.sessions.size);
    await untilGone(() => {
      listening.server.closeIdleConnections();
      return process.getActiveResourcesInfo().filter((kind) => kind === "TCPSocketWrap").length;
    });
  };

  await open(Math.ceil(count / 2));
  const before = await takeFigures();
  const start = performance.now();
  await open(count);
  const seconds = (performance.now() - start) / 1000;
  const after = await takeFigures();
  const left = {
    "sessions of the handler": handler.sessions,
    "forks of the server": server.sessions.size,
    "sessions in memory": sessions.alive,
    errors: errors.length,
  };
  await listening.close(0);
  return { part: `${count} sessions over HTTP`, before, after, left, seconds };
}

/** Runs one client from start to end; every other one leaves without saying so. */
async function visit(from: Package, url: string, index: number): Promise<void> {
  const endSession = index % 2 === 0;
  const client = new from.Client({ name: "visitor", version: "1.0.0" });
  await client.connect(new HttpClientTransport(url, { endSession, listen: index % 4 < 2 }));
  try {
    if (index % 3 === 0) await client.subscribe({ uri: "note://1" });
    if (index % 5 === 0) await client.setLevel({ level: "error" });
    await client.callTool({ name: "echo", arguments: { value: index } as never });
  } finally {
    await client.close();
  }
}

async function untilGone(left: () => number): Promise<void> {
  const end = performance.now() + 4 * TTL;
  while (left() > 0 && performance.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Tracks which of the objects that it has seen still exist. */
class WatchedSessions {
  readonly #seen = new WeakSet<object>();
  readonly #refs: WeakRef<object>[] = [];

  watch(sessions: Iterable<object | Session>): void {
    for (const session of sessions) {
      if (this.#seen.has(session)) continue;
      this.#seen.add(session);
      this.#refs.push(new WeakRef(session));
    }
  }

  get alive(): number {
    return this.#refs.filter((ref) => ref.deref() !== undefined).length;
  }
}
