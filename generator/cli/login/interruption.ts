const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/**
 * Does work until the process is asked to end. The work is aborted then, so that it closes what it has open, and the
 * process ends by the signal, as those that started it expect.
 * @param line - for the user
 */
export async function withInterruption(
  line: string,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const controller = new AbortController();
  let received: NodeJS.Signals | undefined;
  const end = (name: NodeJS.Signals): void => {
    received = name;
    controller.abort();
  };
  for (const name of SIGNALS) process.once(name, end);
  try {
    await work(controller.signal);
  } catch (error) {
    if (received === undefined) throw error;
    for (const name of SIGNALS) process.off(name, end);
    process.stderr.write(`\n${line}\n`);
    process.kill(process.pid, received);
    await new Promise(() => {});
  } finally {
    for (const name of SIGNALS) process.off(name, end);
  }
}
