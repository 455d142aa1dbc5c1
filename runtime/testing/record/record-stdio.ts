import spawn from "cross-spawn";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";
import type { Readable, Writable } from "node:stream";
import type { TapeFile } from "../tape/tape-file.js";
import { createTapeWriter, type MaskOptions, type TapeWriter } from "../tape/index.js";
import { listenInFront } from "./http-front.js";
import { contentOf, lineCopy } from "./line-copy.js";
import { untilEnded, writeTo } from "./local-http.js";

export interface StdioRecording extends MaskOptions {
  readonly command: readonly string[];
  readonly generator: string;
  readonly tape: TapeFile;
  readonly input: Readable;
  readonly output: Writable;
}

/**
 * Starts a command, forwards bytes unchanged between it and a client, and records a copy. Resolves to the command's
 * exit code, which is 128 plus the number of the signal if a signal ended the command.
 *
 * @throws an error with the code ENOENT if the command does not exist
 */
export async function recordStdio(options: StdioRecording): Promise<number> {
  const { command, generator, tape } = options;
  const writer = createTapeWriter({ command, transport: "stdio", generator }, tape.write, options);
  return recordProcess({ ...options, writer, conversation: 1 });
}

export interface FrontRecording extends Omit<StdioRecording, "input" | "output"> {
  /** The port on 127.0.0.1; 0 for any free port. */
  readonly port: number;
  /** Shows the user a message with the address for clients. */
  readonly note: (text: string) => void;
  /** A signal that ends the recording. Default: SIGINT and SIGTERM end it. */
  readonly signal?: AbortSignal;
}

/**
 * Serves a command over HTTP, and records one conversation per process. Resolves when the recording has ended.
 * @throws an error with the code ENOENT if the command does not exist
 */
export async function recordFront(options: FrontRecording): Promise<void> {
  const { command, generator, tape, port, note, signal } = options;
  const writer = createTapeWriter({ command, transport: "stdio", generator }, tape.write, options);
  const running = new Set<Promise<unknown>>();
  let conversation = 0;
  const failure = new AbortController();
  const front = await listenInFront(port, (streams, onEnd) => {
    const ended = recordProcess({ command, tape, writer, conversation: ++conversation, ...streams })
      .catch((error: unknown) => failure.abort(error))
      .finally(onEnd);
    running.add(ended);
  });
  note(`Recording ${command[0]} at ${front.origin}${front.path}; stop it with Ctrl+C`);
  try {
    await Promise.race([untilEnded(signal), untilEnded(failure.signal)]);
    failure.signal.throwIfAborted();
  } finally {
    await front.close();
    await Promise.all(running);
  }
}

interface ProcessRecording extends Pick<StdioRecording, "command" | "tape" | "input" | "output"> {
  readonly writer: TapeWriter;
  readonly conversation: number;
}

async function recordProcess(recording: ProcessRecording): Promise<number> {
  const { command, input, output, writer, conversation } = recording;
  const [file = "", ...args] = command;
  const child = spawn(file, args, { stdio: ["pipe", "pipe", "inherit"], windowsHide: true });
  const failed = once(child, "error").then(([error]) => Promise.reject(error as Error));
  await Promise.race([once(child, "spawn"), failed]);
  failed.catch(() => undefined);
  const closed = once(child, "close");
  const stop = forwardSignals(child);
  const sent = pass(input, child.stdin!, recording, "client");
  // A disconnected client no longer reads, so the command is ended, as it would be without the recorder.
  const received = pass(child.stdout!, output, recording, "server", () => child.kill());
  const [code, signal] = (await closed) as [number | null, NodeJS.Signals | null];
  await received;
  input.destroy();
  await sent;
  stop();
  writer.write({ conversation, event: "closed", code });
  return code ?? 128 + constants.signals[signal!];
}

async function pass(
  from: Readable,
  to: Writable,
  { tape, writer, conversation }: ProcessRecording,
  side: "client" | "server",
  onGone?: () => void,
): Promise<void> {
  const copy = lineCopy((line, framing) => {
    const around = framing && { framing };
    writer.write({ from: side, conversation, ...contentOf(line), ...around });
  });
  let isGone = false;
  to.on("error", () => {
    isGone = true;
    onGone?.();
  });
  try {
    for await (const chunk of from as AsyncIterable<Buffer>) {
      if (!isGone) await writeTo(to, chunk);
      copy.add(chunk);
      await tape.ready();
    }
  } catch {
    // The stream was destroyed because the other side has ended.
  }
  copy.end();
  if (side === "client") to.end();
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

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
