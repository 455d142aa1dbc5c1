import type { Diagnostics } from "../diagnostics.js";
import { apiDigest } from "../fingerprint/api-digest.js";
import { wireDigest } from "../fingerprint/wire-digest.js";
import { link } from "../link/link.js";
import type { Protocol } from "../link/protocol.js";
import { model } from "../model/model.js";
import { type Input, readInput } from "./read-input.js";
import { type RevisionSource, revisionSource } from "./revision-source.js";

/** Digests of a schema, hex. */
export interface Digests {
  /** SHA-256 digest of the bytes, hex. */
  readonly sha256: string;
  readonly api: string;
  readonly wire: string;
}

/** A revision that a command looks at. */
export interface ReadProtocol {
  readonly from: RevisionSource;
  readonly protocol: Protocol;
  readonly digests: Digests;
}

/** Reads and links what an argument names, a bundled revision or a file. */
export function readProtocol(given: string, diagnostics: Diagnostics): ReadProtocol | undefined {
  const from = revisionSource(given, diagnostics);
  const input = from && readInput(from, diagnostics);
  const linked = input && linkInput(input, from.revision, diagnostics);
  return linked && { from, ...linked };
}

/** Links a schema that was read; undefined when a stage refused it. */
export function linkInput(
  { source, facts }: Input,
  revision: string,
  diagnostics: Diagnostics,
): Omit<ReadProtocol, "from"> | undefined {
  const schema = model(source, diagnostics);
  if (diagnostics.hasErrors) return undefined;
  const protocol = link(schema, { revision, ...(facts && { facts }) }, diagnostics);
  if (protocol === undefined || diagnostics.hasErrors) return undefined;
  const api = apiDigest(schema);
  const wire = wireDigest(schema, protocol.methods);
  return { protocol, digests: { sha256: source.sha256, api, wire } };
}
