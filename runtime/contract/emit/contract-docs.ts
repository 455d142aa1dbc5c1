import type { OutputFile } from "mcp-codegen";
import { loadServerSite, type ServerDescription, type ServerField } from "mcp-codegen/cli";
import { Imports, print } from "mcp-codegen/emit";
import { type ContractChange, entryText } from "../diff/change.js";
import { type ContractList, FAMILIES, LISTS } from "../families.js";
import { isObject } from "../json.js";
import { printType, type TypeMember } from "../schema/print-type.js";
import type { ContractPlan, EntryPlan, NamedTypes } from "./contract-plan.js";
import { origin } from "./contract-types.js";

const LONGEST_TYPE = 200;

/** Generates a site with a single contract's page, using the same templates as `mcp-codegen docs`. */
export async function emitDocs(plan: ContractPlan): Promise<readonly OutputFile[]> {
  const { serverSite } = await loadServerSite();
  return serverSite(describeServer(plan), { origin: origin(plan), command: plan.command });
}

export function describeServer(
  { server, locked, entries }: ContractPlan,
  changes?: readonly ContractChange[],
): ServerDescription {
  const { instructions, digest, revision } = locked;
  const texts = Object.entries(locked.server ?? {}).filter(
    (fact): fact is [string, string] => typeof fact[1] === "string",
  );
  return {
    name: server,
    facts: [...texts, ...(revision === undefined ? [] : [["revision", revision] as const])],
    digest,
    ...(instructions !== undefined && { instructions }),
    lists: LISTS.filter((list) => entries[list].length > 0).map((list) => ({
      title: titleOf(list),
      entries: entries[list].map((entry) => ({
        noun: FAMILIES[list].noun,
        key: entry.key,
        ...(entry.doc !== undefined && { doc: entry.doc }),
        hints: hintsOf(entry),
        input: fieldsOf(entry.input),
        output: fieldsOf(entry.output),
      })),
    })),
    ...(changes && {
      changes: changes.map((change) => ({
        class: change.class,
        place: `${entryText(change)} ${change.pointer}`.trim(),
        message: change.message,
      })),
    }),
  };
}

function titleOf(list: ContractList): string {
  const { noun } = FAMILIES[list];
  return `${noun.charAt(0).toUpperCase()}${noun.slice(1)}s`;
}

function fieldsOf(named: NamedTypes | undefined): readonly ServerField[] {
  const { root } = named?.types ?? {};
  if (root?.kind !== "object") return [];
  return root.members.map((member) => ({
    name: member.name,
    type: typeText(member, named!),
    isRequired: !member.isOptional,
    doc: member.doc ?? "",
  }));
}

function typeText({ type }: TypeMember, { targets }: NamedTypes): string {
  const printed = print(
    printType(type, (target) => targets.get(target)!),
    new Imports(),
  );
  const line = printed
    .replace(/\/\*\*[\s\S]*?\*\//g, "")
    .replace(/\s+/g, " ")
    .trim();
  return line.length > LONGEST_TYPE ? `${line.slice(0, LONGEST_TYPE)}…` : line;
}

function hintsOf({ definition }: EntryPlan): readonly string[] {
  const { annotations } = definition;
  if (!isObject(annotations)) return [];
  return Object.entries(annotations)
    .filter(([, value]) => typeof value === "boolean")
    .map(([name, value]) => `${name}: ${String(value)}`);
}
