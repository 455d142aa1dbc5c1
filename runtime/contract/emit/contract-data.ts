import { entriesOf } from "../lock/lock-file.js";
import type { JsonValue, OutputFile } from "mcp-codegen";
import {
  type Code,
  code,
  docText,
  importType,
  join,
  literal,
  memberName,
  printModule,
} from "mcp-codegen/emit";
import { sortedEntries } from "../index.js";
import { LISTS } from "../families.js";
import { header } from "./contract-header.js";
import type { ContractPlan } from "./contract-plan.js";

/** Runtime module that code generated from contracts imports. */
export const CONTRACT_MODULE = "@mcp-codegen/contract";

/**
 * Maximum number of definitions in one list literal: a compiler compares each with every other, and gives up beyond a
 * thousand.
 */
const LONGEST_LIST = 250;

/** `contract.ts`: the definitions, for validation and for the guard of `connect`. */
export function emitData(plan: ContractPlan): OutputFile {
  const { revision, instructions, scope } = plan.locked;
  const type = importType("ServerContract", CONTRACT_MODULE);
  const parts: Code[] = [];
  const members = LISTS.map((list) => {
    const entries = entriesOf(plan.locked, list).map(
      ({ definition }) => ({ definition: sorted(definition) }) as JsonValue,
    );
    if (entries.length <= LONGEST_LIST) return code`${memberName(list)}: ${literal(entries)}`;
    const names: Code[] = [];
    for (let start = 0; start < entries.length; start += LONGEST_LIST) {
      const name = memberName(`${list}${start / LONGEST_LIST + 1}`);
      const part = literal(entries.slice(start, start + LONGEST_LIST));
      parts.push(code`const ${name}: ${type}[${literal(list)}] = ${part};\n\n`);
      names.push(code`...${name}`);
    }
    return code`${memberName(list)}: [${join(names, code`, `)}]`;
  });
  const facts = { revision, instructions, scope: sorted(scope) } as Record<string, JsonValue>;
  for (const [name, value] of Object.entries(facts).toReversed()) {
    if (value !== undefined) members.unshift(code`${memberName(name)}: ${literal(value)}`);
  }
  const doc = docText(`Contract of ${plan.server}, as it was locked.`);
  const value = code`{ ${join(members, code`, `)} }`;
  const body = code`${join(parts, code``)}${doc}export const contract: ${type} = ${value};\n`;
  return { path: "contract.ts", text: printModule(header(plan), body) };
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(sortedEntries(value).map(([name, member]) => [name, sorted(member)]));
}
