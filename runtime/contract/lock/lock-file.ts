import { type ContractList, FAMILIES, LISTS } from "../families.js";
import {
  type ContractScope,
  type PartName,
  canonicalJson,
  definitionParts,
  PART_NAMES,
  sortedEntries,
} from "../index.js";
import { sha256 } from "mcp-codegen/cli";
import { INVISIBLE } from "../diff/text-changes.js";

export interface LockFile {
  readonly lockVersion: typeof LOCK_VERSION;
  readonly servers: Readonly<Record<string, LockedServer>>;
}

export const LOCK_VERSION = 1;

/**
 * The source that a contract was read from. It contains no secrets: headers and environment variables are stored by
 * name only.
 */
export type LockSource =
  | { readonly url: string; readonly headers?: readonly string[] }
  | { readonly command: string; readonly args: readonly string[]; readonly env?: readonly string[] }
  | { readonly manifest: string };

export type Definition = Readonly<Record<string, unknown>>;

export type Lists = Readonly<Record<ContractList, readonly Definition[]>>;

export interface ServerFacts {
  readonly revision?: string;
  readonly server?: Definition;
  readonly capabilities?: Definition;
  readonly instructions?: string;
  readonly scope?: ContractScope;
}

export type ServerReading = ServerFacts & Lists;

export type Digests = Readonly<Record<PartName, string>>;

export interface LockedEntry {
  readonly definition: Definition;
  readonly digests: Digests;
}

export type LockedServer = ServerFacts & {
  readonly source: LockSource;
  readonly digest: string;
} & { readonly [List in ContractList]: readonly LockedEntry[] };

/** Returns a list's entries. The result is empty if the contract was locked by a version that did not know the list. */
export function entriesOf(locked: LockedServer, list: ContractList): readonly LockedEntry[] {
  return locked[list] ?? [];
}

export function keyOf(list: ContractList, definition: Definition): string {
  return String(definition[FAMILIES[list].key]);
}

export function readingOf(locked: LockedServer): ServerReading {
  const { source: _source, digest: _digest, ...facts } = locked;
  const lists = LISTS.map((list) => [
    list,
    entriesOf(locked, list).map(({ definition }) => definition),
  ]);
  return { ...facts, ...(Object.fromEntries(lists) as Lists) };
}

export function digestsOf(definition: Definition): Digests {
  const parts = definitionParts(definition);
  const digests = PART_NAMES.map((part) => [part, digest(part, parts[part])]);
  return Object.fromEntries(digests) as Digests;
}

export function serverDigest(
  { revision, server, capabilities, instructions, scope }: ServerFacts,
  lists: Pick<LockedServer, (typeof LISTS)[number]>,
): string {
  const entries = LISTS.filter((list) => list in lists).map((list) => [
    list,
    lists[list].map(({ digests }) => digests),
  ]);
  const facts = { revision, server, capabilities, instructions, scope };
  return digest("server", { ...facts, ...Object.fromEntries(entries) });
}

/** Returns a value's digest. The prefix ensures that equal values of different kinds have different digests. */
function digest(part: string, value: unknown): string {
  return `sha256:${sha256(`mcp-lock/1/${part}\n${canonicalJson(value)}`)}`;
}

export const NAME_RULE =
  "it consists of letters, digits, dots, dashes and underscores, and may end in @ and a label";

export function isServerName(name: string): boolean {
  return /^[A-Za-z0-9][\w-]*(?:\.[\w-]+)*(?:@[\w-]+)?$/.test(name) && name.length <= 64;
}

/** Limits on data read from a server, a lock file or a manifest. */
export const LOCK_LIMITS = {
  /** The number of pages in a list. */
  pages: 1000,
  /** The number of entries in a list. */
  entries: 10_000,
  /** The number of characters in a definition, as JSON. */
  definition: 1024 * 1024,
  /** The number of characters in all of a server's definitions together. */
  server: 16 * 1024 * 1024,
  /** The number of characters in a name or URI. */
  name: 2000,
  /** The number of bytes in a lock file or manifest. */
  file: 64 * 1024 * 1024,
} as const;

/** Returns a lock file's text, which is identical for identical contracts. Invisible characters are escaped. */
export function lockText(lock: LockFile): string {
  return `${pretty(lock, "")}\n`;
}

function pretty(value: unknown, indent: string): string {
  if (typeof value !== "object" || value === null) return scalar(value);
  const inner = `${indent}  `;
  const lines = Array.isArray(value)
    ? value.map((item) => pretty(item, inner))
    : sortedEntries(value).map(([name, member]) => `${scalar(name)}: ${pretty(member, inner)}`);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  if (lines.length === 0) return `${open}${close}`;
  return `${open}\n${lines.map((line) => inner + line).join(",\n")}\n${indent}${close}`;
}

function scalar(value: unknown): string {
  return (JSON.stringify(value) ?? "null").replace(INVISIBLE, (character) =>
    Array.from(
      { length: character.length },
      (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`,
    ).join(""),
  );
}
