import type { Terminal } from "./terminal.js";

/** The time, in milliseconds, after which a run shows its progress. */
const PATIENCE = 300;

/** Displays the current step, but only on a terminal. */
export interface Progress {
  step(name: string): void;
  end(): void;
}

export function openProgress(terminal: Terminal): Progress {
  const start = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const show = (name: string): void => terminal.transient(`${name} …`);
  return {
    step(name) {
      clearTimeout(timer);
      const left = PATIENCE - (performance.now() - start);
      if (left <= 0) show(name);
      else timer = setTimeout(() => show(name), left).unref();
    },
    end() {
      clearTimeout(timer);
      terminal.transient(undefined);
    },
  };
}
