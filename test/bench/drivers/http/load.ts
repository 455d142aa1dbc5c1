import { Program } from "../../core/program.js";
import { type Asking, Client } from "./client.js";

export interface Server {
  readonly name: string;
  /** Below `programs/http`. */
  readonly file: string;
  readonly env: Record<string, string>;
  readonly asking: Asking;
  /** The limit checks nothing. */
  readonly isUnchecked?: boolean;
}

export interface Load {
  readonly clients: number;
  /** Milliseconds, and calls: whichever takes longer, but four times as long at most. */
  readonly warmUp: { readonly milliseconds: number; readonly calls: number };
  /** Milliseconds. */
  readonly measured: number;
}

/** CPU in microseconds for each call, memory in MiB. */
export type Figure = "cpu" | "perSecond" | "rss";

/** Milliseconds after which a server that does not answer is given up. */
const PATIENCE = 30_000;

/** One process: warmed up by its clients, then measured. */
export async function measureServer(server: Server, load: Load): Promise<Record<Figure, number>> {
  const { name, file, env } = server;
  const program = new Program(`programs/http/${file}`, env);
  const watchdog = setTimeout(() => void program.end(), PATIENCE);
  try {
    return await measure(program, server, load);
  } catch (cause) {
    throw program.error(`(${name}): ${(cause as Error).message}`);
  } finally {
    clearTimeout(watchdog);
    await program.end();
  }
}

async function measure(
  program: Program,
  { asking, isUnchecked }: Server,
  { clients: count, warmUp, measured }: Load,
): Promise<Record<Figure, number>> {
  const port = await program.said<number>();
  const opening = Array.from({ length: count }, () => Client.open(asking, port));
  const clients = await Promise.all(opening);
  await Promise.all(clients.map((client) => client.check()));
  if (!isUnchecked) await clients[0]!.checkRefusal();
  await callFor(clients, warmUp.milliseconds, warmUp.calls);
  const before = await program.usage();
  const { calls, seconds } = await callFor(clients, measured);
  const after = await program.usage();
  await Promise.all(clients.map((client) => client.check()));
  for (const client of clients) client.end();
  return {
    cpu: (after.cpu - before.cpu) / calls,
    perSecond: calls / seconds,
    rss: after.maxRss / 2 ** 20,
  };
}

/** Calls for so long, and until there were so many calls, but no longer than four times as long. */
async function callFor(
  clients: readonly Client[],
  milliseconds: number,
  atLeast = 0,
): Promise<{ readonly calls: number; readonly seconds: number }> {
  const start = performance.now();
  let calls = 0;
  const isOver = (): boolean => {
    const passed = performance.now() - start;
    return passed >= milliseconds && (calls >= atLeast || passed >= 4 * milliseconds);
  };
  const count = (): void => {
    calls += 1;
  };
  await Promise.all(clients.map((client) => client.call(isOver, count)));
  return { calls, seconds: (performance.now() - start) / 1000 };
}
