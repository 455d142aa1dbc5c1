import { existsSync, statSync } from "node:fs";
import {
  cannotListen,
  type Context,
  type Outcome,
  packageVersion,
  readPort,
  readServerUrl,
  usageError,
  type Values,
} from "mcp-codegen/cli";
import { recordFront, recordStdio } from "../record/record-stdio.js";
import { mayBeCommitted, openTapeFile, secretsOf, type TapeFile } from "../tape/tape-file.js";
import { cannotWrite } from "./run-check-tape.js";

/** Runs `record`: a transparent proxy between a client and a server that writes a tape. */
export async function runRecord(
  values: Values,
  { diagnostics, progress }: Context,
): Promise<Outcome | undefined> {
  const command = values.words("command");
  const url = values.text("url");
  const port = readPort("http", values, diagnostics);
  if (diagnostics.hasErrors) return undefined;
  const refuse = (message: string, hint?: string): undefined => {
    diagnostics.add(usageError(message, hint));
    return undefined;
  };
  if ((command === undefined) === (url === undefined)) {
    const problem = url === undefined ? "There is no server." : "There are two servers.";
    return refuse(problem, "Pass a URL, or a command after --.");
  }
  const advice = "Put a command after --, and send credentials with the client.";
  const address = url === undefined ? undefined : readServerUrl(url, diagnostics, advice);
  if (diagnostics.hasErrors) return undefined;
  progress.end();
  const wanted = values.text("out")!;
  if (statSync(wanted, { throwIfNoEntry: false })?.isDirectory()) {
    diagnostics.add(cannotWrite(wanted, "EISDIR"));
    return undefined;
  }
  // A client may start this command several times, so an earlier tape is kept.
  const out = values.flag("force") ? wanted : freeName(wanted);
  if (out !== wanted) note(`${wanted} exists; recording to ${out}`);
  const tape = await openTapeFile(out, values.flag("force")).catch(({ code }) => {
    diagnostics.add(cannotWrite(out, code));
  });
  if (tape === undefined) return undefined;
  if (mayBeCommitted(out)) {
    note(
      `${out} is inside a Git repository that does not ignore it. Check the tape before you commit it.`,
    );
  }
  const options = {
    tape,
    generator: `mcp-codegen ${packageVersion()}`,
    masks: values.list("mask"),
    secrets: secretsOf(process.env),
  };
  let exitCode = 0;
  const listens = command === undefined || port !== undefined;
  try {
    if (command === undefined) {
      const { recordHttp } = await import("../record/record-http.js");
      await recordHttp({ ...options, url: address!, port: port ?? 0, note });
    } else if (port !== undefined) await recordFront({ ...options, command, port, note });
    else
      exitCode = await recordStdio({
        ...options,
        command,
        input: process.stdin,
        output: process.stdout,
      });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (listens && message.startsWith("listen ")) diagnostics.add(cannotListen(error));
    const isMissing = code === "ENOENT" || code === "EACCES";
    const problem = isMissing
      ? `${command?.[0]} cannot be started: ${code}.`
      : `The recording failed: ${message}.`;
    const hint = isMissing ? "Check the command: it runs without a shell." : undefined;
    if (!diagnostics.hasErrors)
      diagnostics.add({
        code: "MCG9101",
        severity: "error",
        message: problem,
        ...(hint && { hint }),
      });
  }
  await closeTape(tape, out, diagnostics);
  return { data: {}, lines: [], exitCode };
}

function freeName(path: string): string {
  const [, start = path, end = ""] = /^(.*?)((?:\.tape)?\.jsonl)?$/s.exec(path) ?? [];
  for (let number = 1; ; number++) {
    const name = number === 1 ? path : `${start}-${number}${end}`;
    if (!existsSync(name)) return name;
  }
}

async function closeTape(
  tape: TapeFile,
  out: string,
  diagnostics: Context["diagnostics"],
): Promise<void> {
  await tape.close().catch((error: NodeJS.ErrnoException) => {
    diagnostics.add({
      code: "MCG9202",
      severity: "error",
      message: `${out} is not complete: ${error.code}.`,
    });
  });
}

function note(text: string): void {
  process.stderr.write(`${text}\n`);
}
