import { type Code, code } from "./printer/code.js";
import { identifier } from "./printer/identifier.js";
import { importTypeNamespace } from "./printer/symbol.js";

/** The namespace of the types in generated modules. */
const TYPES = importTypeNamespace("types", "./types.js");

/** `types.Tool` */
export function schemaType(name: string): Code {
  return code`${TYPES}.${identifier(name)}`;
}
