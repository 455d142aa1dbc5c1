/** The resources of a process once everything that can be freed has been freed. */
export interface Figures {
  /** Bytes. */
  readonly heap: number;
  /** The sockets, timers and other handles that keep the process alive, by kind. */
  readonly handles: Readonly<Record<string, number>>;
}

/** Needs `--expose-gc`. */
export async function takeFigures(): Promise<Figures> {
  for (let round = 0; round < 4; round += 1) {
    await new Promise((resolve) => setTimeout(resolve, 25));
    (globalThis as { gc?: () => void }).gc!();
  }
  const handles: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) handles[kind] = (handles[kind] ?? 0) + 1;
  return { heap: process.memoryUsage().heapUsed, handles };
}

/** The outcome of one part of the soak. */
export interface Verdict {
  readonly part: string;
  readonly before: Figures;
  readonly after: Figures;
  /** The things that must be gone at the end, and how many of each are not. */
  readonly left: Readonly<Record<string, number>>;
  readonly seconds: number;
}

/** The fraction by which a heap may grow. */
const TOLERANCE = 0.05;

/**
 * Returns the reasons why something leaks; empty if nothing does.
 *
 * @param slack - bytes by which the heap may always grow, because short runs end before everything is compiled
 */
export function leaks({ before, after, left }: Verdict, slack: number): string[] {
  const growth = after.heap - before.heap;
  const allowed = Math.max(slack, before.heap * TOLERANCE);
  const kinds = Object.keys(after.handles).filter(
    (kind) => after.handles[kind]! > (before.handles[kind] ?? 0),
  );
  return [
    ...(growth > allowed ? [`the heap grew by ${growth} bytes`] : []),
    ...kinds.map((kind) => `${kind}: ${before.handles[kind] ?? 0} became ${after.handles[kind]}`),
    ...Object.entries(left).flatMap(([what, count]) => (count > 0 ? [`${count} ${what}`] : [])),
  ];
}
