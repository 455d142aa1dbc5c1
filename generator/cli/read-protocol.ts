import type { Diagnostics } from "../diagnostics.js";
import { bundledRevision } from "../bundled/bundled.js";
import { linkInput } from "../generate.js";
import { linkExtension } from "../link-extension.js";
import type { Protocol } from "../link/protocol.js";
import { type Input, readInput } from "./read-input.js";
import { protocolSource, type RevisionSource } from "./revision-source.js";

export interface Digests {
  /** The SHA-256 digest of the bytes. */
  readonly sha256: string;
  readonly api: string;
  readonly wire: string;
}

export interface ReadProtocol {
  readonly from: RevisionSource;
  readonly protocol: Protocol;
  readonly digests: Digests;
}

/** Reads and links the schema that a command's argument names: a bundled revision or extension, or a file. */
export function readProtocol(
  nameOrPath: string,
  facts: string | undefined,
  diagnostics: Diagnostics,
): ReadProtocol | undefined {
  const from = protocolSource(nameOrPath, facts, diagnostics);
  return from && readFrom(from, diagnostics);
}

export function readFrom(from: RevisionSource, diagnostics: Diagnostics): ReadProtocol | undefined {
  const input = readInput(from, diagnostics);
  const linked = input && linkSource(input, from, diagnostics);
  return linked && { from, ...linked };
}

/**
 * Treats a user's file as a version of the bundled extension that it is compared with: adds the extension's id and base
 * revision, and also the extension's facts if the file has none. Other sources are returned unchanged.
 */
export function asExtension(
  file: RevisionSource,
  { revision, facts, ...known }: RevisionSource,
): RevisionSource {
  if (file.isBundled || known.extends === undefined) return file;
  return { ...file, revision, extends: known.extends, ...withFacts(file.facts ?? facts) };
}

function withFacts(facts: string | undefined): Pick<RevisionSource, "facts"> {
  return facts === undefined ? {} : { facts };
}

export function linkSource(
  input: Input,
  { revision, ...from }: Pick<RevisionSource, "revision" | "extends">,
  diagnostics: Diagnostics,
): Omit<ReadProtocol, "from"> | undefined {
  const protocol =
    from.extends === undefined
      ? linkInput({ ...input, revision }, diagnostics)
      : linkedExtension(input, revision, from.extends, diagnostics);
  if (protocol === undefined || diagnostics.hasErrors) return undefined;
  const { sha256 } = input.source;
  const { api, wire } = protocol.source;
  return { protocol, digests: { sha256, api, wire } };
}

function linkedExtension(
  input: Input,
  id: string,
  revision: string,
  diagnostics: Diagnostics,
): Protocol | undefined {
  const bundled = bundledRevision(revision);
  const base = bundled && readInput(bundled, diagnostics);
  const protocol = base && linkInput({ ...base, revision }, diagnostics);
  if (!protocol) return undefined;
  const extended = { protocol, text: base.source.text };
  return linkExtension({ ...input, id, extended }, diagnostics);
}
