import { renderText, type Text } from "./text.js";

export interface Stream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** The process's output: results go to standard output, messages about the run to standard error. */
export interface Terminal {
  print(line: Text): void;
  note(line: Text): void;
  /** Shows a line until the next output if standard error is a terminal. Pass undefined to remove the line. */
  transient(line: string | undefined): void;
  /** The maximum line width, in characters. */
  readonly width: number;
}

export type Environment = Readonly<Record<string, string | undefined>>;

export function openTerminal(stdout: Stream, stderr: Stream, env: Environment): Terminal {
  let isShown = false;
  const clear = (): void => {
    if (isShown) stderr.write("\r\u001b[K");
    isShown = false;
  };
  return {
    print(line) {
      clear();
      stdout.write(`${renderText(line, hasColor(stdout, env))}\n`);
    },
    note(line) {
      clear();
      stderr.write(`${renderText(line, hasColor(stderr, env))}\n`);
    },
    transient(line) {
      clear();
      if (line === undefined || !stderr.isTTY || env["TERM"] === "dumb") return;
      stderr.write(renderText(line.slice(0, (stderr.columns ?? 80) - 1), false));
      isShown = true;
    },
    width: Math.min(stdout.columns ?? 100, 100),
  };
}

/**
 * Returns true if a stream supports colours. The variables described at https://no-color.org and
 * https://force-color.org are ignored if they are empty.
 */
function hasColor(stream: Stream, env: Environment): boolean {
  if (env["NO_COLOR"]) return false;
  if (env["FORCE_COLOR"]) return env["FORCE_COLOR"] !== "0";
  return stream.isTTY === true && env["TERM"] !== "dumb";
}
