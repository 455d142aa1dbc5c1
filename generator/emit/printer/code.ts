import type { ImportedSymbol } from "./symbol.js";

/** Source text under construction, together with the imports that it needs. */
export interface Code {
  readonly parts: readonly (string | ImportedSymbol)[];
}

export type CodeValue = Code | ImportedSymbol | readonly CodeValue[];

/**
 * Builds {@link Code}. Only the literal parts of the template are taken as source text; what is
 * interpolated must be code, a symbol or a list of these. Strings from a schema enter through
 * `literal`, `identifier` or `jsDoc`, which escape or refuse them, so that none can end up as code.
 */
export function code(text: TemplateStringsArray, ...values: readonly CodeValue[]): Code {
  const parts: (string | ImportedSymbol)[] = [text[0]!];
  for (const [index, value] of values.entries()) {
    append(parts, value);
    parts.push(text[index + 1]!);
  }
  return { parts };
}

/** The values one after the other, with a separator between them. */
export function join(values: readonly CodeValue[], separator: Code = EMPTY): Code {
  const parts: (string | ImportedSymbol)[] = [];
  for (const [index, value] of values.entries()) {
    if (index > 0) append(parts, separator);
    append(parts, value);
  }
  return { parts };
}

export const EMPTY: Code = { parts: [] };

function append(parts: (string | ImportedSymbol)[], value: CodeValue): void {
  if (isList(value)) for (const item of value) append(parts, item);
  else if (isCode(value)) for (const part of value.parts) parts.push(part);
  else if (typeof value === "object") parts.push(value);
  else throw new TypeError(`Not code: ${String(value)}; use literal() or identifier().`);
}

function isList(value: CodeValue): value is readonly CodeValue[] {
  return Array.isArray(value);
}

function isCode(value: CodeValue): value is Code {
  return typeof value === "object" && "parts" in value;
}
