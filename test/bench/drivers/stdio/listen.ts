import type { Readable } from "node:stream";

/**
 * Reads what a server writes until `take` reports that it has everything.
 *
 * @param patience - milliseconds after which no more output is expected
 * @throws any error that `take` throws; an Error if the server ends or does not answer
 */
export function listen(
  output: Readable,
  take: (chunk: Buffer) => boolean,
  patience: number,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error?: Error): void => {
      clearTimeout(timer);
      output.off("data", read).off("close", gone);
      if (error) reject(error);
      else resolve();
    };
    const gone = (): void => settle(new Error("The server ended"));
    const timer = setTimeout(() => settle(new Error("The server does not answer")), patience);
    const read = (chunk: Buffer): void => {
      try {
        if (take(chunk)) settle();
      } catch (error) {
        settle(error as Error);
      }
    };
    output.on("data", read).on("close", gone);
  });
}
