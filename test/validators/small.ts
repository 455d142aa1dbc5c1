import type { Protocol } from "../../generator/link/protocol.js";
import type { Trace } from "../../runtime/wire/validation/validator.js";
import { BASICS, linkText, unions } from "../generator/link-text.js";
import { shapesText, type Validators, validatorsOf, validatorsText } from "./build.js";

/** Returns the validators of a few declarations, together with the minimum that a schema must have. */
export function smallValidators(text: string): Promise<Validators> {
  return validatorsOf(smallProtocol(text));
}

/** Returns the test of a declaration as it is emitted: one statement per line, without indentation. */
export function smallText(text: string, name: string): string {
  const all = validatorsText(smallProtocol(text));
  const start = all.indexOf(`function is${name}(`);
  return all.slice(start, all.indexOf("\n\n", start));
}

/** Returns the description of a declaration as it is emitted, as a one-line expression. */
export function smallShape(text: string, name: string): string | undefined {
  const emitted = shapesText(smallProtocol(text));
  return new RegExp(`^${name}: \\(\\) => (.*),$`, "m").exec(emitted)?.[1];
}

/** Returns issues in the form `PATH: EXPECTED, not RECEIVED`. */
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
