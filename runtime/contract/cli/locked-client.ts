import type { Diagnostics } from "mcp-codegen";
import {
  type LockedClient,
  type Values,
  cannotListen,
  usageError,
  type Context,
  type Outcome,
  readPort,
  suggest,
  untilInterrupted,
} from "mcp-codegen/cli";
import { emitContract } from "../emit/emit-contract.js";
import { lockServer } from "../lock/lock-server.js";
import { lockOf, readLock } from "../lock/read-lock.js";
import { lockText } from "../lock/lock-file.js";
import { serverName } from "./server-name.js";
import { visitServer } from "./visit.js";
import { createHttpHandler, serveStdio } from "@mcp-codegen/universal";
import { listen } from "@mcp-codegen/runtime/http/node";
import { mockServer } from "../mock/mock-server.js";

/** Locks the server specified by `--from` and generates its typed client. Returns the files for a new project. */
export async function lockedClient(
  from: string,
  values: Values,
  diagnostics: Diagnostics,
): Promise<LockedClient | undefined> {
  const isUrl = /^https?:\/\//i.test(from);
  const url = isUrl && URL.canParse(from) ? new URL(from) : undefined;
  const [command, ...args] = from.split(" ").filter((word) => word !== "");
  if ((isUrl && (url === undefined || url.username || url.password)) || command === undefined) {
    const hint = 'For example: --from https://mcp.example.com/mcp, or --from "npx -y some-server"';
    diagnostics.add(usageError("--from needs a URL, or a command.", hint));
    return undefined;
  }
  const source = url ? { url: `${url.origin}${url.pathname}` } : { command, args };
  const job = {
    name: undefined,
    label: undefined,
    source,
    revision: undefined,
    ...(url && { url }),
  };
  const visit = await visitServer(job, values, diagnostics);
  if (visit === undefined) return undefined;
  const name = serverName(job, visit.reading);
  const locked = lockServer(visit.reading, source, name, diagnostics);
  if (locked === undefined) return undefined;
  const folder = `src/${name}`;
  const regenerate = `npx mcp-codegen contract client ${name} --out ${folder}`;
  const lock = lockText({ lockVersion: 1, servers: { [name]: locked } });
  // Generate the code from the parsed lock file, whose members are sorted, just as a later run would.
  const read = lockOf(JSON.parse(lock), "mcp.lock.json", diagnostics)!.servers[name]!;
  const code = await emitContract("client", name, read, regenerate, diagnostics);
  const files = code.map(({ path, text }) => ({ path: `${folder}/${path}`, text }));
  return { name, files: [{ path: "mcp.lock.json", text: lock }, ...files] };
}

/** Runs `contract mock`, which serves a contract with made-up results until the command is stopped. */
export async function runContractMock(
  values: Values,
  { diagnostics, progress }: Context,
): Promise<Outcome | undefined> {
  const port = readPort("port", values, diagnostics);
  if (diagnostics.hasErrors) return undefined;
  const file = values.text("lock")!;
  const lock = readLock(file, diagnostics);
  if (lock === undefined) return undefined;
  const all = Object.keys(lock.servers);
  const name = values.text("name") ?? (all.length === 1 ? all[0]! : undefined);
  if (name === undefined || !Object.hasOwn(lock.servers, name)) {
    const message =
      name === undefined
        ? "Name one of the servers."
        : `${file} has no server ${JSON.stringify(name)}.`;
    diagnostics.add(
      usageError(message, suggest(name ?? "", all) ?? `The servers are: ${all.join(", ")}.`),
    );
    return undefined;
  }
  const server = mockServer(name, lock.servers[name]!, values.text("seed") ?? "0");
  progress.end();
  if (port === undefined) {
    // From here on, standard output belongs to the protocol.
    await serveStdio(server);
    await server.closed;
    return undefined;
  }
  const http = await listen(createHttpHandler(server), { port }).catch((error: Error) => {
    diagnostics.add(cannotListen(error));
  });
  if (http === undefined) return undefined;
  process.stderr.write(`Mock of ${name} at ${http.url}; stop it with Ctrl+C\n`);
  await untilInterrupted();
  await http.close();
  return undefined;
}
