import type { Revision } from "@mcp-codegen/runtime";
import { listen } from "@mcp-codegen/runtime/http/node";
import { createHttpHandler, serveStdio } from "@mcp-codegen/universal";
import {
  bundledRevision,
  cannotListen,
  type Context,
  type Outcome,
  readPort,
  unknownRevision,
  type Values,
} from "mcp-codegen/cli";
import { untilEnded } from "../record/local-http.js";
import { projectedServer } from "../replay/projected-server.js";
import { createReplay, type ReplayOptions } from "../replay/replay.js";
import { listenReplay } from "../replay/serve-http.js";
import { serveReplay } from "../replay/serve-stdio.js";
import { readScript, type TapeScript } from "../replay/tape-script.js";
import { reportUnreadable } from "./run-check-tape.js";
import { revisions } from "@mcp-codegen/universal/revisions";

export async function runReplay(
  values: Values,
  { diagnostics, progress }: Context,
): Promise<Outcome | undefined> {
  const port = readPort("http", values, diagnostics);
  const revision = values.text("revision");
  if (revision !== undefined && bundledRevision(revision) === undefined) {
    diagnostics.add(unknownRevision(revision));
  }
  if (diagnostics.hasErrors) return undefined;
  const file = values.text("file")!;
  const script = await scriptOf(file, diagnostics);
  if (script === undefined) return undefined;
  const options: ReplayOptions = {
    loose: values.flag("loose"),
    fast: values.flag("fast"),
    onDifference: (problem) => void process.stderr.write(`${problem}\n`),
  };
  const target = revisions.find(({ id }) => id === revision) ?? script.revision;
  progress.end();
  // From here on, standard output belongs to the protocol.
  if (port === undefined) await serveStdioOf(script, target, options);
  else await serveHttpOf(script, target, options, { port, file, diagnostics });
  return undefined;
}

async function serveStdioOf(
  script: TapeScript,
  target: Revision,
  options: ReplayOptions,
): Promise<void> {
  if (target.id === script.revision.id) {
    return serveReplay(createReplay(script, options), process.stdin, process.stdout);
  }
  const server = projectedServer(script, target, options);
  await serveStdio(server);
  await server.closed;
}

async function serveHttpOf(
  script: TapeScript,
  target: Revision,
  options: ReplayOptions,
  { port, file, diagnostics }: { port: number; file: string; diagnostics: Context["diagnostics"] },
): Promise<void> {
  const starting =
    target.id === script.revision.id
      ? listenReplay(script, createReplay(script, options), port)
      : listen(createHttpHandler(projectedServer(script, target, options)), { port });
  const listener = await starting.catch((error: Error) => {
    diagnostics.add(cannotListen(error));
  });
  if (listener === undefined) return;
  process.stderr.write(`Replay of ${file} at ${listener.url}; stop it with Ctrl+C\n`);
  await untilEnded();
  await listener.close();
}

async function scriptOf(
  file: string,
  diagnostics: Context["diagnostics"],
): Promise<TapeScript | undefined> {
  try {
    return await readScript(file);
  } catch (error) {
    return reportUnreadable(error, file, diagnostics);
  }
}
