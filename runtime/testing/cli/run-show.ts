import { existsSync } from "node:fs";
import { basename, dirname } from "node:path";
import { type Context, count, type Outcome, usageError, type Values } from "mcp-codegen/cli";
import { untilEnded } from "../record/local-http.js";
import { serveLive } from "../show/serve-live.js";
import { isPage, readTemplate, writePage } from "../show/write-page.js";
import { openTape } from "../tape/index.js";
import { cannotWrite, reportUnreadable } from "./run-check-tape.js";

export async function runShow(
  values: Values,
  { diagnostics, progress }: Context,
): Promise<Outcome | undefined> {
  const file = values.text("file");
  const fail = (code: string, message: string): undefined => {
    diagnostics.add({ code, severity: "error", message });
    return undefined;
  };
  if (values.flag("live")) {
    if (file === undefined || values.text("out") !== undefined) {
      const hint = "For example: mcp-codegen show a.tape.jsonl --live";
      diagnostics.add(usageError("--live needs a tape, and writes no page.", hint));
      return undefined;
    }
    try {
      // If the tape does not exist yet, the page waits for it.
      if (existsSync(file) || !existsSync(dirname(file))) await openTape(file);
      progress.end();
      await serve(file);
    } catch (error) {
      return reportUnreadable(error, file, diagnostics);
    }
    return undefined;
  }
  const out = values.text("out") ?? pageOf(file);
  if (existsSync(out) && !values.flag("force") && !(await isPage(out).catch(() => false))) {
    return fail(
      "MCG9202",
      `${out} exists, and is not a page of this command; --force replaces it.`,
    );
  }
  progress.step(`Writing ${out}`);
  try {
    const tape = file === undefined ? undefined : { path: file, name: basename(file) };
    const lines = await writePage(out, tape);
    const summary = file === undefined ? out : `${out}: ${count(lines, "line")}`;
    return { data: { file: file ?? null, out, lines }, lines: [], summary };
  } catch (error) {
    const { path, code } = error as NodeJS.ErrnoException;
    const isOutput = path?.startsWith(out) === true;
    if (isOutput) return void diagnostics.add(cannotWrite(out, code));
    if (file === undefined) throw error;
    return reportUnreadable(error, file, diagnostics);
  }
}

async function serve(file: string): Promise<void> {
  const server = await serveLive(file, await readTemplate());
  const name = existsSync(file) ? file : `${file}, once it exists,`;
  process.stderr.write(`${name} at ${server.url}; stop it with Ctrl+C\n`);
  await untilEnded();
  await server.close();
}

function pageOf(file: string | undefined): string {
  return file === undefined ? "tapes.html" : `${file.replace(/(?:\.tape)?\.jsonl$/, "")}.html`;
}
