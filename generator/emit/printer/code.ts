import type { JsonValue } from "../../link/protocol.js";
import { isIdentifier } from "../../plan/ids.js";

/** Source text under construction, with the imports that it needs. */
export interface Code {
  readonly parts: readonly (string | ImportedSymbol)[];
}

export type CodeValue = Code | ImportedSymbol | readonly CodeValue[];

/**
 * Builds {@link Code}. Only the template's literal parts become source text; interpolated values must be code, symbols
 * or lists of these. Strings from a schema must pass through `literal`, `identifier` or `jsDoc`, which escape or reject
 * them, so that they cannot become code.
 */
export function code(text: TemplateStringsArray, ...values: readonly CodeValue[]): Code {
  const parts: (string | ImportedSymbol)[] = [text[0]!];
  for (const [index, value] of values.entries()) {
    append(parts, value);
    parts.push(text[index + 1]!);
  }
  return { parts };
}

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

function isList<Item>(value: Item | readonly Item[]): value is readonly Item[] {
  return Array.isArray(value);
}

function isCode(value: CodeValue): value is Code {
  return typeof value === "object" && "parts" in value;
}

/** A name from another module. Code that contains the symbol imports it. */
export interface ImportedSymbol {
  readonly name: string;
  readonly from: string;
  /** The kind of import. `type` and `typeNamespace` imports do not exist at run time. */
  readonly kind: "value" | "type" | "namespace" | "typeNamespace";
}

export function importValue(name: string, from: string): ImportedSymbol {
  return { name, from, kind: "value" };
}

export function importType(name: string, from: string): ImportedSymbol {
  return { name, from, kind: "type" };
}

export function importNamespace(name: string, from: string): ImportedSymbol {
  return { name, from, kind: "namespace" };
}

export function importTypeNamespace(name: string, from: string): ImportedSymbol {
  return { name, from, kind: "typeNamespace" };
}

/**
 * Matches characters that would hide or reorder source text on a screen, or invisibly end a line: control and
 * bidirectional characters, separators, fillers, tags and lone surrogates. Does not match the variation selector
 * for emoji.
 */
const INVISIBLE =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2800\ufeff\ufff9-\ufffb]|\p{Surrogate}|(?!\ufe0f)\p{Default_Ignorable_Code_Point}/gu;

/** Returns a string literal in double quotes whose value is exactly `text`. */
export function escapeString(text: string): string {
  return JSON.stringify(text).replace(INVISIBLE, escapeCharacter);
}

/** Replaces invisible characters with escape sequences, and ends each line with `\n`. */
export function escapeInvisible(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(INVISIBLE, escapeCharacter);
}

/**
 * Makes text safe for use in a block comment: it cannot end the comment, and does not contain invisible characters or
 * compiler directives.
 */
export function escapeComment(text: string): string {
  return escapeInvisible(text)
    .replaceAll("*/", "*\\/")
    .replace(/^([ \t]*)@/gm, "$1\\@");
}

function escapeCharacter(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}

export function literal(value: JsonValue): Code {
  if (typeof value === "string") return { parts: [escapeString(value)] };
  if (typeof value !== "object" || value === null) return { parts: [JSON.stringify(value)] };
  if (isList(value)) return code`[${join(value.map(literal), code`, `)}]`;
  const entries = Object.entries(value).map(
    ([key, item]) => code`${objectKey(key)}: ${literal(item)}`,
  );
  return entries.length === 0 ? code`{}` : code`{ ${join(entries, code`, `)} }`;
}

export function memberName(name: string): Code {
  return { parts: [/^[A-Za-z_$][\w$]*$/.test(name) ? name : escapeString(name)] };
}

/**
 * Returns a key for an object expression. `__proto__` becomes a computed key, because it would otherwise set the
 * prototype.
 */
export function objectKey(name: string): Code {
  return name === "__proto__" ? code`[${literal(name)}]` : memberName(name);
}

/**
 * Returns a declaration's name as code. The plan has already rejected invalid names.
 *
 * @throws TypeError if the name is not an identifier
 */
export function identifier(name: string): Code {
  if (!isIdentifier(name)) throw new TypeError(`Not an identifier: ${JSON.stringify(name)}.`);
  return { parts: [name] };
}
