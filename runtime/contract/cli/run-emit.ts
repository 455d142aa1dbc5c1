import { join } from "node:path";
import { type ContractKind, emitContract } from "../emit/emit-contract.js";
import type { LockedServer, LockFile } from "../lock/lock-file.js";
import { readLock } from "../lock/read-lock.js";
import type { Diagnostics } from "mcp-codegen";
import {
  type Context,
  type Generation,
  type Mode,
  type Outcome,
  type OutputFolder,
  type Values,
  checkPaths,
  commandLine,
  compare,
  inCommand,
  optionWords,
  loadWriting,
  readInventory,
  suggest,
  usageError,
} from "mcp-codegen/cli";

interface Target {
  readonly name: string;
  readonly locked: LockedServer;
  readonly folder: OutputFolder;
}

/** Runs `contract client` and similar commands, which generate code from the contracts in a lock file. */
export async function runContractEmit(
  kind: ContractKind,
  values: Values,
  { diagnostics, progress }: Context,
): Promise<Outcome | undefined> {
  const start = performance.now();
  const mode = modeOf(values, diagnostics);
  if (mode === undefined) return undefined;
  const lock = readLock(values.text("lock")!, diagnostics);
  const targets = lock && targetsOf(lock, kind, values, diagnostics);
  if (targets === undefined) return undefined;
  const generations: Generation[] = [];
  for (const { name, locked, folder } of targets) {
    progress.step(`Generating ${name}`);
    const command = commandOf(kind, name, folder, values);
    const files = await emitContract(kind, name, locked, command, diagnostics);
    const paths = files.map(({ path }) => path);
    const inventory = checkPaths(paths, diagnostics)
      ? readInventory(folder, paths, diagnostics)
      : undefined;
    if (inventory === undefined) return undefined;
    const target = { revision: locked.revision ?? "", contract: name, folder };
    generations.push({ target, changes: compare(files, inventory) });
  }
  const { report, writeAll, missingPackages, cloneAround } = await loadWriting();
  if (
    mode === "write" &&
    !writeAll(generations, { force: values.flag("force"), progress }, diagnostics)
  ) {
    return undefined;
  }
  return report(generations, mode, {
    milliseconds: performance.now() - start,
    missing:
      mode === "write"
        ? missingPackages(
            targets.map(({ folder }) => folder),
            importedBy(generations),
            await cloneAround(),
          )
        : undefined,
    vendored: [],
  });
}

function importedBy(generations: readonly Generation[]): readonly string[] {
  const texts = generations.flatMap(({ changes }) =>
    changes.flatMap(({ path, after = "" }) => (path.endsWith(".ts") ? after : [])),
  );
  const imports = texts.flatMap((text) => [...text.matchAll(/ from "(@mcp-codegen\/[^"]+)"/g)]);
  return [...new Set(imports.map(([, specifier]) => specifier!))];
}

function modeOf(values: Values, diagnostics: Diagnostics): Mode | undefined {
  if (!values.flag("check")) return values.flag("dry-run") ? "dry-run" : "write";
  if (!values.flag("dry-run")) return "check";
  diagnostics.add(usageError("--check and --dry-run cannot be combined.", "Use one of them."));
  return undefined;
}

/**
 * Returns the servers to generate code for. A single server's code goes directly into the output folder; if there are
 * several servers, each gets a subfolder.
 */
function targetsOf(
  { servers }: LockFile,
  kind: ContractKind,
  values: Values,
  diagnostics: Diagnostics,
): readonly Target[] | undefined {
  const all = Object.keys(servers);
  const name = values.text("name");
  const root = values.text("out") ?? join("contracts", kind);
  const file = values.text("lock")!;
  if (name !== undefined && !Object.hasOwn(servers, name)) {
    const hint = suggest(name, all) ?? `The servers are: ${all.join(", ")}.`;
    diagnostics.add(usageError(`${file} has no server ${JSON.stringify(name)}.`, hint));
    return undefined;
  }
  if (all.length === 0) {
    diagnostics.add(usageError(`${file} has no servers.`, "Add one with mcp-codegen lock <url>."));
    return undefined;
  }
  const isOne = name !== undefined || all.length === 1;
  return (name === undefined ? all : [name]).map((one) => {
    const path = isOne ? root : join(root, one.replace("@", "-at-"));
    return { name: one, locked: servers[one]!, folder: { root, path } };
  });
}

function commandOf(
  kind: ContractKind,
  name: string,
  { path }: OutputFolder,
  values: Values,
): string {
  const lock = inCommand(values.text("lock")!);
  const words = [
    "contract",
    kind,
    name,
    ...(lock === "mcp.lock.json" ? [] : optionWords("lock", lock)),
    ...optionWords("out", inCommand(path)),
  ];
  return commandLine([], { words });
}
