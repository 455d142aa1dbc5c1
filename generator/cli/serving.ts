import type { Diagnostics } from "../diagnostics.js";
import type { Values } from "./command.js";
import { usageError } from "./explain-usage.js";

/** Reads the port from an option. An option without a value counts as 0, which means any free port. */
export function readPort(
  name: string,
  values: Values,
  diagnostics: Diagnostics,
): number | undefined {
  const text = values.text(name);
  const port = text === undefined ? values.number(name) : Number(text);
  if (port === undefined || (Number.isInteger(port) && port >= 0 && port <= 65_535)) return port;
  const message = `--${name} needs a port, a whole number from 0 to 65535.`;
  diagnostics.add(usageError(message, `For example: --${name}=3000`));
  return undefined;
}

const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;

/**
 * Exits the process on a termination signal, so that its `exit` listeners run. Returns a function that removes the
 * handlers.
 */
export function endAtSignals(): () => void {
  return onSignals((code) => process.exit(code));
}

/** Resolves at the first termination signal; a second signal exits the process. */
export async function untilInterrupted(): Promise<void> {
  await new Promise<void>((resolve) => {
    const stop = onSignals(() => {
      stop();
      endAtSignals();
      resolve();
    });
  });
}

function onSignals(act: (code: number) => void): () => void {
  const names = Object.keys(SIGNALS) as (keyof typeof SIGNALS)[];
  const end = (_: NodeJS.Signals, number: number): void => act(128 + number);
  for (const name of names) process.on(name, end);
  return () => {
    for (const name of names) process.off(name, end);
  };
}
