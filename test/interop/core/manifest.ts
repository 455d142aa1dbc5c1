import { readFileSync } from "node:fs";
import { join } from "node:path";
import { interop } from "./places.js";

/**
 * A visit's steps or a client's checks that may fail, each with the reason. An entry is stale once its step or check
 * passes.
 */
export type Expected = Readonly<Record<string, string>>;

/**
 * Describes how to start a program. In `args` and `env`, `{work}` is the scratch folder, `{port}` a free port and
 * `{url}` the address of the server behind a gateway.
 */
export interface Start {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The path of the address, over HTTP. */
  readonly path?: string;
  /** The contents of files in `{work}`; a file that begins with `#!` is executable. */
  readonly files?: Readonly<Record<string, string>>;
}

export interface Package {
  readonly package: string;
  readonly version: string;
  /** The additional packages that it needs, with exact versions. */
  readonly with?: readonly string[];
  /** The file to run, relative to the package; by default, its only executable. */
  readonly bin?: string;
}

export type Over = "stdio" | "http" | "sse";

/** Published server. */
export interface ServerEntry extends Package {
  /** The software that it is built on, if its dependencies do not show it. */
  readonly on?: string;
  /** A program in `programs/` to run instead of an executable: a server built on a framework. */
  readonly program?: string;
  readonly stdio?: Start;
  readonly http?: Start;
  readonly sse?: Start;
  /** Harmless call. */
  readonly call?: { readonly name: string; readonly arguments: object };
  /** The URI to read; by default, the first one listed. */
  readonly read?: string;
  readonly expected?: Expected;
  /** The reasons why parts of its contract may fail. An entry is stale once its part passes. */
  readonly contract?: Expected;
}

/** A published version of the official client. */
export interface ClientEntry extends Package {
  readonly overs: readonly Over[];
  /** The ways in which version 2 finds the revision; each one gets its own run. */
  readonly modes?: readonly string[];
  /** The reasons by check; use `check (over)` for one transport and `check (over, mode)` for one mode. */
  readonly expected?: Expected;
}

/** A gateway, with the transport to the client in front and the one to the server behind. */
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

/**
 * Reads all manifests.
 *
 * @throws Error if an entry is not pinned or occurs twice
 */
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

/**
 * Checks the entries of a manifest.
 *
 * @throws Error if an entry is not pinned or occurs twice
 */
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

/** Returns the name used on the command line and in the report. */
export function titleOf(entry: Package & { readonly name?: string }): string {
  return entry.name ?? `${entry.package}@${entry.version}`;
}
