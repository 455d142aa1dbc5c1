import { readFileSync } from "node:fs";
import { join } from "node:path";
import { interop } from "./places.js";

/** Steps of a visit or checks of a client that may fail, with the reason; goes stale when one passes. */
export type Expected = Readonly<Record<string, string>>;

/**
 * Start of a program. In `args` and `env`, `{work}` is the scratch folder, `{port}` a free port and `{url}` the
 * address of the server behind a gateway.
 */
export interface Start {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Over HTTP: path of the address. */
  readonly path?: string;
  /** Texts of files in `{work}`; one that begins with `#!` can be run. */
  readonly files?: Readonly<Record<string, string>>;
}

export interface Package {
  readonly package: string;
  readonly version: string;
  /** Packages with exact versions that it needs beside itself. */
  readonly with?: readonly string[];
  /** File to run, below the package; default: its only executable. */
  readonly bin?: string;
}

export type Over = "stdio" | "http" | "sse";

/** Published server. */
export interface ServerEntry extends Package {
  /** Software that it is built on, if its dependencies do not show it. */
  readonly on?: string;
  /** Program of `programs/` that is run in place of an executable: a server on a framework. */
  readonly program?: string;
  readonly stdio?: Start;
  readonly http?: Start;
  readonly sse?: Start;
  /** Harmless call. */
  readonly call?: { readonly name: string; readonly arguments: object };
  /** URI to read; default: the first that is listed. */
  readonly read?: string;
  readonly expected?: Expected;
  /** Reasons why parts of its contract may fail; goes stale when one passes. */
  readonly contract?: Expected;
}

/** Published version of the official client. */
export interface ClientEntry extends Package {
  readonly overs: readonly Over[];
  /** Ways in which version 2 finds the revision; more than one means more than one run. */
  readonly modes?: readonly string[];
  /** Reasons by check; `check (over)` for one transport, `check (over, mode)` for one mode. */
  readonly expected?: Expected;
}

/** Gateway: the revision for the client, and the one for the server behind. */
export interface GatewayEntry extends Package {
  readonly name: string;
  readonly front: Over;
  readonly behind: Over;
  readonly start: Start;
  /** Reasons by `server/client/step`. */
  readonly expected?: Expected;
}

export interface Manifests {
  readonly servers: readonly ServerEntry[];
  readonly clients: readonly ClientEntry[];
  readonly gateways: readonly GatewayEntry[];
}

/** @throws Error for an entry that is not pinned, or is there twice */
export function manifests(): Manifests {
  const all = {
    servers: read("servers.json"),
    clients: read("clients.json"),
    gateways: read("gateways.json"),
  } as Manifests;
  for (const entries of Object.values(all)) checkEntries(entries as readonly Package[]);
  return all;
}

const read = (name: string): unknown => JSON.parse(readFileSync(join(interop, name), "utf8"));

/** @throws Error for an entry that is not pinned, or is there twice */
export function checkEntries(entries: readonly Package[]): void {
  const seen = new Set<string>();
  for (const entry of entries) {
    const pinned = [entry.version, ...(entry.with ?? []).map((spec) => spec.split("@").at(-1)!)];
    const loose = pinned.filter((version) => !/^\d+\.\d+\.\d+(?:-[\w.-]+)?$/.test(version));
    if (loose.length > 0)
      throw new Error(`${entry.package}: "${loose[0]}" is no exact version; write such as "1.2.3"`);
    const name = titleOf(entry);
    if (seen.has(name)) throw new Error(`${name} is there twice`);
    seen.add(name);
  }
}

/** Name on the command line and in the report. */
export function titleOf(entry: Package & { readonly name?: string }): string {
  return entry.name ?? `${entry.package}@${entry.version}`;
}
