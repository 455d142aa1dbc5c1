import { endChildrenAtExit } from "./core/child.js";
import { type Command, commandOf, sectionNames, usage, UsageError } from "./core/command-line.js";
import { manifests, type Package, titleOf } from "./core/manifest.js";
import { Packages } from "./core/packages.js";
import { cacheFolder } from "./core/places.js";
import type { Part } from "./core/row.js";
import { Visitors } from "./core/visitors.js";
import { writePart } from "./report/page.js";
import { lockServers } from "./sections/contracts.js";
import { driveClients } from "./sections/clients.js";
import { visitGateways } from "./sections/gateways.js";
import { visitServers } from "./sections/servers.js";

function commandOrExit(): Command {
  try {
    const command = commandOf(process.argv.slice(2));
    if (command !== undefined) return command;
    console.log(usage);
    process.exit(0);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(`${error.message}\n\n${usage}`);
    process.exit(2);
  }
}

const { sections, only, cache } = commandOrExit();
endChildrenAtExit();
const all = manifests();
const packages = new Packages(cache ?? cacheFolder());
process.on("exit", () => packages.end());
const ours = await packages.ours();
const visitors = await Visitors.of(packages, ours);

const chosen = <Entry extends Package>(entries: readonly Entry[]): readonly Entry[] =>
  entries.filter((entry) => titleOf(entry).includes(only ?? ""));
const say = (line: string) => console.log(line);
const runs = {
  servers: () => visitServers(chosen(all.servers), packages, visitors, say),
  contracts: () => lockServers(chosen(all.servers), packages, say),
  clients: () => driveClients(chosen(all.clients), packages, ours, say),
  gateways: () => visitGateways(chosen(all.gateways), packages, ours, visitors, say),
} satisfies Record<string, () => Promise<Part>>;

const parts: Part[] = [];
for (const name of sections) {
  const part = await runs[name]();
  if (only === undefined) writePart(name, part, sectionNames);
  parts.push(part);
}

const rows = parts.flatMap((part) => part.rows);
const failed = rows.filter(({ failures }) => failures.length > 0);
for (const { cells, failures } of failed)
  console.error(`${cells.slice(0, 3).join(" ")}: ${failures.join("; ")}`);
console.log(`${rows.length - failed.length} passed, ${failed.length} failed`);
if (rows.length === 0) console.error(`No entry has "${only}" in its name`);
process.exit(failed.length > 0 || rows.length === 0 ? 1 : 0);
