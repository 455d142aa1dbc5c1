import type { Protocol } from "../link/protocol.js";
import { type Code, code, EMPTY } from "./printer/code.js";
import { identifier } from "./printer/identifier.js";
import { literal } from "./printer/literal.js";

/** Constants for the error codes that the specification gives in prose only. */
export function proseCodes({ errorCodes }: Protocol): Code {
  const constants = errorCodes
    .filter(({ origin }) => origin === "prose")
    .map((error) => code`export const ${identifier(error.name)} = ${literal(error.code)};\n`);
  return constants.length === 0
    ? EMPTY
    : code`/* Error codes that the specification gives in prose only */\n\n${constants}\n`;
}
