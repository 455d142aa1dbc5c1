import { canonicalJson, lastingDefinition } from "../index.js";
import { coveredLists, withoutIgnored } from "../server-contract.js";
import type { Diagnostics } from "mcp-codegen";
import {
  digestsOf,
  serverDigest,
  type Definition,
  keyOf,
  type LockedEntry,
  type LockedServer,
  type LockSource,
  type ServerFacts,
  type ServerReading,
  LOCK_LIMITS,
} from "./lock-file.js";
import { type ContractList, entryKind, FAMILIES, LISTS } from "../families.js";

/** Creates a contract from a server's description. The contract is sorted and omits members that change frequently. */
export function lockServer(
  reading: ServerReading,
  source: LockSource,
  name: string,
  diagnostics: Diagnostics,
): LockedServer | undefined {
  const refuse = (message: string): void =>
    diagnostics.add({
      code: "MCG9003",
      severity: "error",
      message: `${name}: ${message}`,
      hint: "A contract of that size cannot be reviewed; contact the operator of the server.",
    });
  const before = diagnostics.items.length;
  const { scope } = reading;
  const covered = coveredLists({ ...(scope && { scope }) });
  let size = 0;
  const lists = LISTS.map((list) => {
    if (!covered.includes(list)) return [list, []] as const;
    if (reading[list].length > LOCK_LIMITS.entries) {
      refuse(`it has more than ${LOCK_LIMITS.entries} ${list}.`);
      return [list, []] as const;
    }
    const entries = withoutIgnored(reading[list], scope?.ignore?.map(inEach)).flatMap((listed) => {
      const entry = lockEntry(list, listed, refuse);
      size += entry?.size ?? 0;
      return entry ? [entry] : [];
    });
    warnOfTwins(list, entries, name, diagnostics);
    return [list, entries.toSorted(byKey).map(({ entry }) => entry)] as const;
  });
  if (size > LOCK_LIMITS.server) refuse(`it has more than ${LOCK_LIMITS.server} characters.`);
  if (diagnostics.items.slice(before).some(({ severity }) => severity === "error"))
    return undefined;
  const locked = Object.fromEntries(lists) as Pick<LockedServer, ContractList>;
  const { revision, server, capabilities, instructions } = withoutIgnored(
    reading as ServerFacts,
    scope?.ignore,
  );
  const facts = {
    ...(revision !== undefined && { revision }),
    ...(server !== undefined && { server }),
    ...(capabilities !== undefined && { capabilities }),
    ...(instructions !== undefined && { instructions }),
    ...(scope !== undefined && { scope }),
  };
  return { source, ...facts, ...locked, digest: serverDigest(facts, locked) };
}

function inEach(pointer: string): string {
  return `/*${pointer}`;
}

interface SizedEntry {
  readonly key: string;
  readonly text: string;
  readonly size: number;
  readonly entry: LockedEntry;
}

function lockEntry(
  list: ContractList,
  listed: Definition,
  refuse: (message: string) => void,
): SizedEntry | undefined {
  const key = keyOf(list, listed);
  const shown = JSON.stringify(key.slice(0, 80));
  if (key.length > LOCK_LIMITS.name) {
    refuse(
      `the name of the ${FAMILIES[list].noun} ${shown}… has more than ${LOCK_LIMITS.name} characters.`,
    );
    return undefined;
  }
  const definition = entryKind(list) === "resource" ? lastingDefinition(listed) : listed;
  try {
    const text = canonicalJson(definition);
    if (text.length <= LOCK_LIMITS.definition) {
      return {
        key,
        text,
        size: text.length,
        entry: { definition, digests: digestsOf(definition) },
      };
    }
    refuse(
      `the ${FAMILIES[list].noun} ${shown} has more than ${LOCK_LIMITS.definition} characters.`,
    );
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    refuse(`the ${FAMILIES[list].noun} ${shown} has more than 128 levels.`);
  }
  return undefined;
}

function byKey(one: SizedEntry, other: SizedEntry): number {
  if (one.key !== other.key) return one.key < other.key ? -1 : 1;
  return one.text < other.text ? -1 : one.text > other.text ? 1 : 0;
}

function warnOfTwins(
  list: ContractList,
  entries: readonly SizedEntry[],
  name: string,
  diagnostics: Diagnostics,
): void {
  const keys = entries.map(({ key }) => key);
  const twins = new Set(keys.filter((key, index) => keys.indexOf(key) !== index));
  for (const key of twins) {
    diagnostics.add({
      code: "MCG9005",
      severity: "warning",
      message: `${name}: there are several ${list} named ${JSON.stringify(key.slice(0, 80))}.`,
      hint: "It is undefined which one is called; code is generated for the first one.",
    });
  }
}
