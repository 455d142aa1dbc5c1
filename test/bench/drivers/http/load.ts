import { type Launch, Program } from "../../core/program.js";
import type { Effort } from "../../core/section.js";
import { type Call, Client } from "./client.js";

export interface Server {
  readonly name: string;
  readonly launch: Launch;
  readonly call: Call;
  /** True for the limit program, which checks nothing. */
  readonly isUnchecked?: boolean;
}

const CLIENTS = 32;

/**
 * Measures the CPU microseconds that a fresh server spends on each call, and its memory in MB. The server is warmed up
 * by the clients that measure it.
 */
export function costOfServer(
  { launch, call, isUnchecked }: Server,
  effort: Effort,
  count = CLIENTS,
) {
  return Program.use(launch, async (program) => {
    const port = await program.said<number>();
    const opening = Array.from({ length: count }, () => Client.open(call, port));
    const clients = await Promise.all(opening);
    await Promise.all(clients.map((client) => client.check()));
    if (!isUnchecked) await clients[0]!.checkRefusal();
    await callFor(clients, effort.warmUp, effort.warmUpRequests);
    const before = await program.usage();
    const calls = await callFor(clients, effort.measured);
    const after = await program.usage();
    await Promise.all(clients.map((client) => client.check()));
    for (const client of clients) client.end();
    return { cpu: (after.cpu - before.cpu) / calls, resident: after.resident / 1e6 };
  });
}

/**
 * Makes calls for the given time in milliseconds and until the given number is reached, but for at most four times that
 * time.
 */
async function callFor(
  clients: readonly Client[],
  milliseconds: number,
  atLeast = 0,
): Promise<number> {
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
  return calls;
}
