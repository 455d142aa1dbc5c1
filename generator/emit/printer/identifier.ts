import { isIdentifier } from "../../plan/identifiers.js";
import type { Code } from "./code.js";

/**
 * The name of something declared. The plan has refused names that are none.
 *
 * @throws TypeError when the name is not an identifier.
 */
export function identifier(name: string): Code {
  if (!isIdentifier(name)) throw new TypeError(`Not an identifier: ${JSON.stringify(name)}.`);
  return { parts: [name] };
}
