import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { revisions } from "@mcp-codegen/universal";
import { format, resolveConfig } from "prettier";
import { endChildrenAtExit } from "../core/child.js";
import { inParallel } from "../core/in-parallel.js";
import { Packages } from "../core/packages.js";
import { cacheFolder, interop } from "../core/places.js";
import { type Absent, findMiddles, findPython, type Middle } from "./middles.js";
import { publishedServers, pythonClients, SCENARIOS } from "./others.js";
import { type MiddleResults, othersPart, pageOf } from "./page.js";
import { runPair } from "./run-pair.js";

const usage = `npm run middles -- [--only NAME] [--write]

  Prints how bridges between clients and servers pass each kind of message, for each pair of revisions, and how clients and
  servers of others get on with our bridge, as Markdown.
  --only   middles whose name contains NAME, or "others" for the clients and servers of others
  --write  writes test/interop/MIDDLES.md
  --cache  where packages are installed (default: ~/.cache/mcp-codegen-interop)`;

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    write: { type: "boolean" },
    cache: { type: "string" },
    help: { type: "boolean" },
  },
});
if (values.help) {
  console.log(usage);
  process.exit();
}
endChildrenAtExit();
const ids = revisions.map(({ id }) => id).toReversed();
const pairs = ids.flatMap((down) => ids.map((up) => [down, up] as const));
const cache = values.cache ?? cacheFolder();
const packages = new Packages(cache);
const chosen = await findMiddles(packages, cache, values.only ?? "");
const withOthers = "others".includes(values.only ?? "");
const isMiddle = (one: Middle | Absent): one is Middle => "program" in one;

for (const id of ids) {
  const { refused, failures } = await runPair(undefined, id, id);
  for (const { name, why } of failures) console.error(`directly at ${id}: ${name}: ${why}`);
  if (refused !== undefined) console.error(`directly at ${id}: ${refused}`);
  if (refused !== undefined || failures.length > 0) process.exit(1);
}
const results: MiddleResults[] = [];
for (const middle of chosen.filter(isMiddle)) {
  const run = await inParallel(pairs, 2, async ([down, up]) => {
    const result = await runPair(middle, down, up);
    const { refused, cases, failures } = result;
    const outcome = refused ?? `${cases.length - failures.length}/${cases.length}`;
    console.error(`${middle.name}: ${down} → ${up}: ${outcome}`);
    return result;
  });
  results.push({ middle, pairs: run });
}
const others: string[] = [];
if (withOthers) {
  const python = await findPython(cache);
  const newestFirst = ids.toReversed();
  others.push(
    othersPart(
      "Clients of Python before our bridge",
      ["Client, `mode` \\ server", ...newestFirst],
      typeof python === "string" ? await pythonClients(python, newestFirst) : python,
    ),
    othersPart(
      "Published servers over stdio behind our bridge, under the official suite over HTTP",
      ["Server \\ suite", ...Object.keys(SCENARIOS)],
      await publishedServers(packages),
    ),
  );
}
const absent = chosen.filter((one): one is Absent => !isMiddle(one));
const file = join(interop, "MIDDLES.md");
const style = { ...(await resolveConfig(file)), filepath: file };
const page = await format(
  pageOf(results, absent, others, new Date().toISOString().slice(0, 10)),
  style,
);
console.log(page);
if (values.write) writeFileSync(file, page);
process.exit();
