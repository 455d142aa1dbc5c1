import { type ContractList, FAMILIES, LISTS } from "../families.js";
import type { ContractScope, PartName } from "../index.js";

/** Contracts of servers by name: the content of `mcp.lock.json`. */
export interface LockFile {
  readonly lockVersion: typeof LOCK_VERSION;
  readonly servers: Readonly<Record<string, LockedServer>>;
}

export const LOCK_VERSION = 1;

/** Place that a contract was read from, without secrets: only the names of headers and variables. */
export type LockSource =
  | { readonly url: string; readonly headers?: readonly string[] }
  | { readonly command: string; readonly args: readonly string[]; readonly env?: readonly string[] }
  | { readonly manifest: string };

/** Definition of an entry of a list, such as a tool, as the server returns it. */
export type Definition = Readonly<Record<string, unknown>>;

export type Lists = Readonly<Record<ContractList, readonly Definition[]>>;

/** Description of a server, as sent by the server. */
export interface ServerFacts {
  /** Revision that the server used: `2026-07-28`; absent in a manifest that does not state it. */
  readonly revision?: string;
  /** Name, version and similar members. */
  readonly server?: Definition;
  readonly capabilities?: Definition;
  readonly instructions?: string;
  /** Locked part of the server. Default: all of it. */
  readonly scope?: ContractScope;
}

/** Description of a server before it is locked. */
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

/** Entries of a list; none if the contract was locked before the list existed. */
export function entriesOf(locked: LockedServer, list: ContractList): readonly LockedEntry[] {
  return locked[list] ?? [];
}

/** Key of an entry in its list: a name, or a URI. */
export function keyOf(list: ContractList, definition: Definition): string {
  return String(definition[FAMILIES[list].key]);
}

/** Description of a locked server, as it was read. */
export function readingOf(locked: LockedServer): ServerReading {
  const { source: _source, digest: _digest, ...facts } = locked;
  const lists = LISTS.map((list) => [
    list,
    entriesOf(locked, list).map(({ definition }) => definition),
  ]);
  return { ...facts, ...(Object.fromEntries(lists) as Lists) };
}
