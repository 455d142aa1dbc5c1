import type { Diagnostics } from "mcp-codegen";
import { type LockedClient, type Values, usageError } from "mcp-codegen/cli";
import { emitContract } from "../emit/emit-contract.js";
import { lockServer } from "../lock/lock-server.js";
import { lockOf } from "../lock/read-lock.js";
import { lockText } from "../lock/write-lock.js";
import { serverName } from "./server-name.js";
import { visitServer } from "./visit.js";

/** Locks the server that `--from` names, and generates its typed client: files for a new project. */
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
    diagnostics.add(usageError("--from takes a URL, or a command.", hint));
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
  // The code is generated from the file's form, in which members are sorted.
  const read = lockOf(JSON.parse(lock), "mcp.lock.json", diagnostics)!.servers[name]!;
  const code = await emitContract("client", name, read, regenerate, diagnostics);
  const files = code.map(({ path, text }) => ({ path: `${folder}/${path}`, text }));
  return { name, files: [{ path: "mcp.lock.json", text: lock }, ...files] };
}
