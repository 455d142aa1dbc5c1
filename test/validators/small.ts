import type { Protocol } from "../../generator/link/protocol.js";
import type { Trace } from "../../runtime/wire/validation.js";
import { BASICS, linkText, unions } from "../generator/link-text.js";
import { type Validators, validatorsOf, validatorsText } from "./build.js";

/** The validators of a few declarations; the least that a schema must have comes with them. */
export function smallValidators(text: string): Promise<Validators> {
  return validatorsOf(smallProtocol(text));
}

/** The function of a declaration as it is emitted, one statement per line, without indentation. */
export function smallText(text: string, name: string): string {
  const all = validatorsText(smallProtocol(text));
  const start = all.search(
    new RegExp(`^(?:(?:export )?function ${name}\\(|export const ${name}:)`, "m"),
  );
  return all.slice(start, all.indexOf("\n\n", start));
}

/** Issues in the form `PATH: EXPECTED, not RECEIVED`. */
export function issuesOf(validators: Validators, type: string, value: unknown): string[] {
  const trace: Trace = [];
  const valid = validators[type]!(value, trace);
  if (valid !== (trace.length === 0)) throw new Error("The verdict does not fit the issues.");
  return trace.map(({ path, expected, received }) => `${path}: ${expected}, not ${received}`);
}

function smallProtocol(text: string): Protocol {
  const { protocol, found } = linkText(BASICS + unions() + text);
  if (!protocol || found.length > 0) throw new Error(found.join("\n"));
  return protocol;
}
