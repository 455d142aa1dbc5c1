import type { Diagnostics } from "../diagnostics.js";
import type { Facts } from "./facts.js";
import { LISTS, OFFICIAL, type ObjectRule, SCALARS } from "./facts-format.js";
import { type JsonPath, locate } from "./json-position.js";

/**
 * The maximum number of problems reported for each file. Finding a position requires reading the file again, and the
 * first problems usually explain the others.
 */
export const MAX_PROBLEMS = 100;

type Refuse = (message: string, path: JsonPath) => void;

export function readFacts(text: string, file: string, diagnostics: Diagnostics): Facts | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    diagnostics.add({
      code: "MCG3060",
      severity: "error",
      message: `The facts are not valid JSON (${(error as SyntaxError).message}).`,
      hint: "Correct the syntax; JSON has no comments and no trailing commas.",
      file,
      span: { line: 1, column: 1, start: 0, end: text.length },
    });
    return undefined;
  }
  let refused = 0;
  const refuse: Refuse = (message, path) => {
    if (refused++ >= MAX_PROBLEMS) return;
    diagnostics.add({
      code: "MCG3060",
      severity: "error",
      message,
      hint: "See schema/facts.schema.json for the format.",
      file,
      span: locate(text, path),
    });
  };
  checkFacts(value, refuse);
  return refused > 0 ? undefined : { ...(value as Facts), origin: { file, text } };
}

function checkFacts(value: unknown, refuse: Refuse): void {
  if (!isObject(value)) return refuse("The facts must be an object.", []);
  const { official, ...rest } = value;
  const scalars: [string, unknown][] = [];
  for (const [name, member] of Object.entries(rest)) {
    const rule = Object.hasOwn(LISTS, name) ? LISTS[name] : undefined;
    if (!rule) scalars.push([name, member]);
    else if (!Array.isArray(member)) refuse(`\`${name}\` must be an array.`, [name]);
    else member.forEach((item, index) => checkObject(item, rule, [name, index], refuse));
  }
  checkObject(Object.fromEntries(scalars), SCALARS, [], refuse);
  if (official !== undefined) checkObject(official, OFFICIAL, ["official"], refuse);
}

function checkObject(value: unknown, rule: ObjectRule, path: JsonPath, refuse: Refuse): void {
  const place = path.length > 0 ? `\`${path.join(".")}\`` : "The facts";
  if (!isObject(value)) return refuse(`${place} must be an object.`, path);
  for (const name of Object.keys(rule.required)) {
    if (!Object.hasOwn(value, name)) refuse(`${place} must have a member \`${name}\`.`, path);
  }
  const known = { ...rule.required, ...rule.optional };
  for (const [name, member] of Object.entries(value)) {
    const expected = Object.hasOwn(known, name) ? known[name] : undefined;
    const at = [...path, name];
    if (!expected) refuse(`The facts have no member \`${at.join(".")}\`.`, at);
    else if (!expected.holds(member))
      refuse(`\`${at.join(".")}\` must be ${expected.expected}.`, at);
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
