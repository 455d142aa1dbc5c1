import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import type { Diagnostic, Diagnostics, Span } from "../diagnostics.js";
import { spanBetween } from "../position.js";
import { exampleLines, lackingNames } from "../smallest-schema.js";
import { MAX_BYTES } from "./limits.js";
import type { Source } from "./source.js";

export interface SourceOptions {
  /** The SHA-256 digest that the bytes must have, in hexadecimal. */
  readonly sha256?: string;
}

/**
 * Converts a schema's bytes, from any origin, to a source. The digest is that of the unchanged bytes, whereas the text
 * has no byte order mark.
 */
export function sourceFromBytes(
  file: string,
  bytes: Uint8Array,
  diagnostics: Diagnostics,
  options: SourceOptions = {},
): Source | undefined {
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const refusal = refuse(bytes, sha256, options.sha256);
  if (refusal) {
    diagnostics.add({ ...refusal, severity: "error", file });
    return undefined;
  }
  return { file, text: new TextDecoder().decode(bytes), sha256 };
}

type Refusal = Omit<Diagnostic, "severity" | "file">;

function refuse(bytes: Uint8Array, actual: string, expected?: string): Refusal | undefined {
  if (bytes.length > MAX_BYTES) {
    return {
      code: "MCG1006",
      message: `The schema is larger than ${MAX_BYTES / 1024 / 1024} MiB.`,
      hint: "Check that this is the right file; the official schemas are below 150 KiB.",
    };
  }
  if (expected !== undefined && actual !== expected.toLowerCase()) {
    return {
      code: "MCG1007",
      message: `The schema has the SHA-256 digest ${actual}, not ${expected}.`,
      hint: "Fetch the file again, or review what changed and record the new digest.",
    };
  }
  if (!isUtf8(bytes)) {
    return {
      code: "MCG1002",
      message: looksLikeUtf16(bytes)
        ? "The schema is UTF-16, not UTF-8."
        : "The schema is not valid UTF-8.",
      hint: "Save the file as UTF-8.",
      span: firstInvalid(bytes),
    };
  }
  if (new TextDecoder().decode(bytes).trim() === "") {
    return {
      code: "MCG1005",
      message: "The schema is empty.",
      hint: "Check that the file was written or downloaded completely. A new schema of a protocol begins with:",
      example: exampleLines(lackingNames(["JSONRPCMessage"], () => false)),
    };
  }
  return undefined;
}

function looksLikeUtf16(bytes: Uint8Array): boolean {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
}

/** Returns the position of the first invalid character, found by bisection. */
function firstInvalid(bytes: Uint8Array): Span {
  let [valid, invalid] = [0, bytes.length];
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >> 1;
    if (decodePrefix(bytes.subarray(0, middle)) === undefined) invalid = middle;
    else valid = middle;
  }
  const before = decodePrefix(bytes.subarray(0, valid)) ?? "";
  return spanBetween(before, before.length, before.length + 1);
}

/**
 * Decodes the beginning of a file, which may end in the middle of a character. Returns undefined if the bytes before
 * that are invalid.
 */
function decodePrefix(prefix: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(prefix, { stream: true });
  } catch {
    return undefined;
  }
}
