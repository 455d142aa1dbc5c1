import spawn from "cross-spawn";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import type { TapeFile } from "../tape/tape-file.js";
import { createTapeWriter, type MaskOptions, type TapeWriter } from "../tape/index.js";
import { contentOf, lineCopy } from "./line-copy.js";

export interface StdioRecording extends MaskOptions {
  readonly command: readonly string[];
  readonly generator: string;
  readonly tape: TapeFile;
  /** Streams of the client. */
  readonly input: Readable;
  readonly output: Writable;
}

/**
 * Starts a command, and passes bytes between it and a client, unchanged. The tape is a copy. Resolves to the exit code of
 * the command, or to null if a signal has ended it.
 *
 * @throws an error with the code ENOENT if the command does not exist
 */
export async function recordStdio(options: StdioRecording): Promise<number | null> {
  const { command, generator, tape, input, output } = options;
  const [file = "", ...args] = command;
  const child = spawn(file, args, { stdio: ["pipe", "pipe", "inherit"], windowsHide: true });
  const failed = once(child, "error").then(([error]) => Promise.reject(error as Error));
  await Promise.race([once(child, "spawn"), failed]);
  failed.catch(() => undefined);
  const closed = once(child, "close");
  const writer = createTapeWriter({ command, transport: "stdio", generator }, tape.write, options);
  const stop = forwardSignals(child);
  const sent = pass(input, child.stdin!, tape, writer, "client");
  // A client that is gone no longer reads: the command ends as it would without the recorder.
  const received = pass(child.stdout!, output, tape, writer, "server", () => child.kill());
  const [code] = (await closed) as [number | null];
  await received;
  input.destroy();
  await sent;
  stop();
  writer.write({ conversation: 1, event: "closed", code });
  return code;
}

async function pass(
  from: Readable,
  to: Writable,
  tape: TapeFile,
  writer: TapeWriter,
  side: "client" | "server",
  onGone?: () => void,
): Promise<void> {
  const copy = lineCopy((line, framing) => {
    const around = framing && { framing };
    writer.write({ from: side, conversation: 1, ...contentOf(line), ...around });
  });
  let isGone = false;
  to.on("error", () => {
    isGone = true;
    onGone?.();
  });
  try {
    for await (const chunk of from as AsyncIterable<Buffer>) {
      if (!isGone && !to.write(chunk)) await Promise.race([once(to, "drain"), once(to, "close")]);
      copy.add(chunk);
      await tape.ready();
    }
  } catch {
    // The stream was destroyed, because the other side has ended.
  }
  copy.end();
  if (side === "client") to.end();
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Forwards signals to the command. Returns a function that stops forwarding. */
function forwardSignals(child: ChildProcess): () => void {
  const handlers = SIGNALS.map((signal) => {
    const handler = (): void => void child.kill(signal);
    process.on(signal, handler);
    return [signal, handler] as const;
  });
  return () => {
    for (const [signal, handler] of handlers) process.off(signal, handler);
  };
}
