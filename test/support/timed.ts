/**
 * Milliseconds of an operation, or of the processor if that is less: a busy machine is not slow
 * code.
 */
export function timed(work: () => void): number {
  const [start, used] = [performance.now(), process.cpuUsage()];
  work();
  const { user, system } = process.cpuUsage(used);
  return Math.min(performance.now() - start, (user + system) / 1000);
}
