import { Diagnostics } from "../diagnostics.js";
import type { Facts } from "../link/facts.js";
import type { Protocol } from "../link/protocol.js";
import type { Source } from "../load/source.js";
import { model } from "../model/model.js";
import { linkSource } from "./read-protocol.js";

/**
 * Evidence that a schema is the expected one: its bytes or its wire digest match. `accepted` means that the caller
 * permitted a schema without evidence.
 */
export interface Verification {
  readonly verified: "bytes" | "wire" | "accepted";
  /** The wire digest; absent if the file was recognized by its bytes or cannot be linked. */
  readonly wire?: string;
  /** The linked schema; present only if it was accepted without evidence and can be linked. */
  readonly protocol?: Protocol;
}

export interface VerifyOptions {
  readonly revision: string;
  readonly facts?: Facts;
  /** The revision on which an extension's schema is based. */
  readonly extends?: string;
  readonly acceptNew: boolean;
}

/**
 * Verifies that a file has the recorded bytes or the recorded wire digest. With `acceptNew`, any schema is accepted.
 */
export function verifySchema(
  source: Source,
  { facts, acceptNew, ...from }: VerifyOptions,
  diagnostics: Diagnostics,
): Verification | undefined {
  if (source.sha256 === facts?.official?.sha256) return { verified: "bytes" };
  if (!isSchema(source, from.extends !== undefined, diagnostics)) return undefined;
  const findings = new Diagnostics();
  const linked = linkSource({ source, ...(facts && { facts }) }, from, findings);
  const wire = linked?.digests.wire;
  const recorded = facts?.official?.wire;
  if (wire !== undefined && wire === recorded) return { verified: "wire", wire };
  if (acceptNew)
    return {
      verified: "accepted",
      ...(linked && { wire: linked.digests.wire, protocol: linked.protocol }),
    };
  findings.items.forEach((finding) => diagnostics.add(finding));
  diagnostics.add({
    code: "MCG1103",
    severity: "error",
    message:
      wire === undefined
        ? "The file cannot be verified: it does not link with the facts of the revision."
        : `The file has the wire digest ${wire}, but ${recorded} is recorded.`,
    hint: "The file is not the expected one, or is newer: review it, then use --accept-new.",
    file: source.file,
  });
  return undefined;
}

/**
 * Returns true if a file is a schema; otherwise, reports why it is not. Errors in an extension's schema are ignored
 * here, because its imports are resolved only when it is linked.
 */
function isSchema(source: Source, isExtension: boolean, diagnostics: Diagnostics): boolean {
  const looksLikeMarkup = source.text.trimStart().startsWith("<");
  const imports = isExtension ? { imports: new Map() } : {};
  const found = isExtension ? new Diagnostics() : diagnostics;
  const schema = looksLikeMarkup ? undefined : model(source, found, imports);
  if (schema && schema.declarations.length > 0 && !diagnostics.hasErrors) return true;
  diagnostics.add({
    code: "MCG1102",
    severity: "error",
    message: looksLikeMarkup ? "This is a web page, not a schema." : "This is not a schema.",
    hint: "Check the address; it must be that of the file itself.",
    file: source.file,
  });
  return false;
}
