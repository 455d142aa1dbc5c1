import type { FamilyKind } from "@mcp-codegen/runtime";
import { type ContractList, entryKind, FAMILIES, LISTS } from "../families.js";
import { isObject } from "../json.js";
import { type Definition, entriesOf, keyOf, type LockedServer } from "../lock/lock-file.js";

import type { Check } from "mcp-codegen/emit";
import { schemaCheck } from "../schema/schema-check.js";
import { schemaTypes } from "../schema/schema-types.js";
import type { SchemaTypes, TypeNode } from "../schema/print-type.js";
import { memberNames, NameSpace, pascalCase } from "./names.js";

export interface ContractPlan {
  readonly server: string;
  /** The server's name in Pascal case, such as `IssueTracker`, for use in type names. */
  readonly typeName: string;
  readonly locked: LockedServer;
  readonly entries: { readonly [List in ContractList]: readonly EntryPlan[] };
  readonly unchecked: Unchecked;
  readonly command: string;
}

type SchemaPart = "inputSchema" | "outputSchema";

/** The places in definitions that cannot be validated, as JSON pointers by tool name. */
export type Unchecked = Readonly<Record<string, readonly string[]>>;

function isWhole(unchecked: Unchecked, key: string, part: SchemaPart): boolean {
  const places = Object.hasOwn(unchecked, key) ? unchecked[key]! : [];
  return !places.some((place) => place.startsWith(`/${part}`));
}

export interface EntryPlan {
  readonly key: string;
  readonly member: string;
  readonly definition: Definition;
  readonly doc: string | undefined;
  readonly input: NamedTypes | undefined;
  readonly output: NamedTypes | undefined;
}

export interface NamedTypes {
  readonly name: string;
  readonly types: SchemaTypes;
  /** The type names of referenced subschemas, by reference, such as `#/$defs/Node`. */
  readonly targets: ReadonlyMap<string, string>;
  readonly isOptional: boolean;
  readonly check: Check | undefined;
}

/** Names that generated modules already use and that are therefore not available for generated types. */
const IMPORTS = [
  "Array",
  "Record",
  "ContentBlock",
  "ContractCalls",
  "ContractClient",
  "CallOptions",
  "ToolCall",
];

/**
 * Chooses the names and types for a contract.
 * @param report - called for each constraint that types cannot express
 */
export function planContract(
  server: string,
  locked: LockedServer,
  options: { readonly command: string; readonly unchecked: Unchecked },
  report: (entry: string, problem: string) => void,
): ContractPlan {
  const names = new NameSpace(IMPORTS);
  const typeName = names.claim(pascalCase(server, "Server"));
  const entries = LISTS.map(
    (list) => [list, planList(list, locked, names, options.unchecked, report)] as const,
  );
  return {
    server,
    typeName,
    locked,
    entries: Object.fromEntries(entries) as unknown as ContractPlan["entries"],
    ...options,
  };
}

function planList(
  list: ContractList,
  locked: LockedServer,
  names: NameSpace,
  unchecked: Unchecked,
  report: (entry: string, problem: string) => void,
): readonly EntryPlan[] {
  const byKey = new Map<string, Definition>();
  for (const { definition } of entriesOf(locked, list)) {
    const key = keyOf(list, definition);
    if (!byKey.has(key)) byKey.set(key, definition);
  }
  const kind = entryKind(list);
  const isNamed = kind !== "resource" && kind !== "template";
  const labels = [...byKey].map(([key, { name }]) => (isNamed ? key : String(name ?? key)));
  const isUnique = (label: string): boolean => labels.filter((one) => one === label).length === 1;
  const keys = [...byKey.keys()];
  const shown = keys.map((key, index) => (isUnique(labels[index]!) ? labels[index]! : key));
  const members = memberNames(shown);
  return keys.map((key, index): EntryPlan => {
    const definition = byKey.get(key)!;
    const base = pascalCase(shown[index]!, kind === "tool" ? "Tool" : "Prompt");
    const named = (
      types: SchemaTypes | undefined,
      suffix: string,
      part?: SchemaPart,
    ): NamedTypes | undefined => {
      for (const problem of types?.problems ?? []) report(`${FAMILIES[list].noun} ${key}`, problem);
      const schema = part && definition[part];
      const isChecked = kind === "tool" && isObject(schema) && isWhole(unchecked, key, part!);
      const check = isChecked ? schemaCheck(schema) : undefined;
      return types && { ...nameTypes(types, base, suffix, names), check };
    };
    const { title, description, outputSchema } = definition;
    const texts = [title, description].filter((text) => typeof text === "string" && text !== "");
    const input = inputTypes(kind, definition);
    const output = kind === "tool" && isObject(outputSchema);
    return {
      key,
      member: members.get(shown[index]!)!,
      definition,
      doc: texts.length === 0 ? undefined : texts.join("\n\n"),
      input: named(input, INPUT_NAMES[kind], "inputSchema"),
      output: named(output ? schemaTypes(outputSchema) : undefined, "Result", "outputSchema"),
    };
  });
}

const INPUT_NAMES: Readonly<Record<FamilyKind, string>> = {
  tool: "Arguments",
  prompt: "PromptArguments",
  template: "Variables",
  resource: "Arguments",
  other: "Arguments",
};

function inputTypes(kind: FamilyKind, definition: Definition): SchemaTypes | undefined {
  if (kind === "tool") return schemaTypes(definition["inputSchema"]);
  if (kind === "prompt") return ofMembers(promptArguments(definition));
  if (kind === "template") {
    const names = templateVariables(String(definition["uriTemplate"]));
    return ofMembers(names.map((name) => ({ name, isOptional: true, doc: undefined })));
  }
  return undefined;
}

interface TextMember {
  readonly name: string;
  readonly isOptional: boolean;
  readonly doc: string | undefined;
}

function promptArguments({ arguments: list }: Definition): readonly TextMember[] {
  const seen = new Set<string>();
  return (Array.isArray(list) ? list.filter(isObject) : []).flatMap(
    ({ name, required, description }) => {
      if (typeof name !== "string" || seen.has(name)) return [];
      seen.add(name);
      const doc = typeof description === "string" ? description : undefined;
      return [{ name, isOptional: required !== true, doc }];
    },
  );
}

/** Returns the names of the variables in a URI template (RFC 6570). */
export function templateVariables(template: string): readonly string[] {
  const found = [...template.matchAll(/\{[+#./;?&]?([^{}]*)\}/g)].flatMap(([, list]) =>
    list!.split(",").map((one) => one.replace(/(?::\d+|\*)$/, "")),
  );
  return [...new Set(found)].filter((name) => name !== "");
}

function ofMembers(members: readonly TextMember[]): SchemaTypes {
  const type: TypeNode = { kind: "keyword", name: "string" };
  const root: TypeNode = {
    kind: "object",
    members: members.map((member) => ({ ...member, type })),
    index: undefined,
  };
  return { root, targets: new Map(), problems: [] };
}

function nameTypes(
  types: SchemaTypes,
  base: string,
  suffix: string,
  names: NameSpace,
): Omit<NamedTypes, "check"> {
  const name = names.claim(base, suffix);
  const targets = [...types.targets.keys()].map((target): [string, string] => {
    const last = target.slice(target.lastIndexOf("/") + 1);
    return [target, names.claim(`${name}${pascalCase(last, "Part")}`)];
  });
  const { root } = types;
  const isOptional = root.kind === "object" && root.members.every((member) => member.isOptional);
  return { name, types, targets: new Map(targets), isOptional };
}
