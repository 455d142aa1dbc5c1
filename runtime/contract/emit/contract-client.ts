import type { FamilyKind } from "@mcp-codegen/runtime";
import type { OutputFile } from "mcp-codegen";
import {
  type Code,
  EMPTY,
  code,
  docText,
  identifier,
  importType,
  importTypeNamespace,
  importValue,
  join,
  literal,
  memberName,
  objectKey,
  printModule,
} from "mcp-codegen/emit";
import { type ContractList, entryKind, FAMILIES, LISTS } from "../families.js";
import { comment } from "../schema/print-type.js";
import { CONTRACT_MODULE, emitData, header, emitTypes, sharedExports } from "./contract-types.js";
import type { ContractPlan, EntryPlan, NamedTypes } from "./contract-plan.js";
import { checksArgument, emitValidators, validatorsSymbol } from "./contract-validators.js";

const TYPES = importTypeNamespace("types", "./types.js");
const OPTIONS = importType("CallOptions", CONTRACT_MODULE);
const UNIVERSAL = "@mcp-codegen/universal/types";

export function emitClient(plan: ContractPlan): readonly OutputFile[] {
  return [emitIndex(plan), ...emitTypes(plan), emitData(plan), ...emitValidators(plan)];
}

function emitIndex(plan: ContractPlan): OutputFile {
  const name = identifier(plan.typeName);
  const lists = LISTS.filter(
    (list) => plan.entries[list].length > 0 && FAMILIES[list].use !== undefined,
  );
  const calls = importValue("ContractCalls", CONTRACT_MODULE);
  const members = lists.map((list) => {
    const lines = plan.entries[list].map((entry) => signature(list, entry));
    return code`${docText(LIST_DOCS[entryKind(list)])}readonly ${memberName(list)}: {\n${join(lines, code`\n`)}};\n`;
  });
  const implementations = lists.map((list) => {
    const lines = plan.entries[list].map((entry) => implementation(list, entry));
    return code`${objectKey(list)}: {\n${lines}},\n`;
  });
  const checks = checksArgument(plan, validatorsSymbol(plan));
  const body = code`${docText(`Everything that ${plan.server} offers, typed and checked.`)}export interface ${name} {\n${join(members, code`\n`)}}

${docText(DOC)}export function create${name}(
  client: ${importType("ContractClient", CONTRACT_MODULE)},
  options: ${importType("ContractCallsOptions", CONTRACT_MODULE)} = {},
): ${name} {
  ${lists.length > 0 ? code`const calls = new ${calls}(client, ${importValue("contract", "./contract.js")}, ${checks}, options);\n  ` : code`void client;\n  void options;\n  `}return {\n${implementations}};
}

${sharedExports(plan)}`;
  return { path: "index.ts", text: printModule(header(plan), body) };
}

const DOC = `Creates a client of the contract from a client that \`connect\` returned. A call rejects with a \`ContractError\` if its
arguments are invalid, before anything is sent, or if its result is invalid.`;

const LIST_DOCS: Readonly<Record<FamilyKind, string>> = {
  tool: "Calls of tools.",
  prompt: "Messages of each prompt, rendered with its arguments.",
  resource: "Reads of resources.",
  template: "Reads of resources by the variables of their URIs.",
  other: "Requests, each for one entry of the list.",
};

function parametersOf(entry: EntryPlan): Code {
  const { input } = entry;
  if (input === undefined) return EMPTY;
  return code`${argumentName(entry)}${input.isOptional ? code`?` : EMPTY}: ${typeName(input)}, `;
}

function argumentName(entry: EntryPlan): Code {
  return { parts: [entry.definition["uriTemplate"] === undefined ? "args" : "variables"] };
}

function typeName({ name }: NamedTypes): Code {
  return code`${TYPES}.${identifier(name)}`;
}

function signature(list: ContractList, entry: EntryPlan): Code {
  const doc = comment(entry.doc ?? `The ${FAMILIES[list].noun} ${entry.key}.`);
  return code`${doc}readonly ${memberName(entry.member)}: (${parametersOf(entry)}options?: ${OPTIONS}) => ${resultOf(list, entry)};\n`;
}

function resultOf(list: ContractList, { output }: EntryPlan): Code {
  if (entryKind(list) !== "tool") {
    return code`Promise<${importType(FAMILIES[list].result!, UNIVERSAL)}>`;
  }
  const structured = output ? typeName(output) : code`unknown`;
  const call = importType("ToolCall", CONTRACT_MODULE);
  return code`${call}<${structured}, ${importType("ContentBlock", UNIVERSAL)}>`;
}

function implementation(list: ContractList, entry: EntryPlan): Code {
  const key = literal(entry.key);
  const member = objectKey(entry.member);
  const { use, by } = FAMILIES[list];
  switch (entryKind(list)) {
    case "tool":
      return code`${member}: (args, sent) => calls.tool(${key}, args, sent),\n`;
    case "prompt":
      return code`${member}: (args, sent) => calls.prompt(${key}, args, sent),\n`;
    case "resource":
      return code`${member}: (sent) => calls.resource(${key}, sent),\n`;
    case "other":
      return code`${member}: (sent) => calls.use(${literal(use!)}, { ${memberName(by!)}: ${key} }, sent),\n`;
    case "template": {
      const expand = importValue("expand", "@mcp-codegen/runtime/uri-template");
      return code`${member}: (variables, sent) => calls.resource(${expand}(${key}, { ...variables }), sent),\n`;
    }
  }
}
