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
  memberName,
  printModule,
} from "mcp-codegen/emit";
import { type ContractList, entryKind, FAMILIES, LISTS } from "../families.js";
import { comment } from "../schema/print-type.js";
import { CONTRACT_MODULE, emitData, header, emitTypes, sharedExports } from "./contract-types.js";
import type { ContractPlan, EntryPlan, NamedTypes } from "./contract-plan.js";
import { emitValidators, validatorsSymbol } from "./contract-validators.js";

const TYPES = importTypeNamespace("types", "./types.js");
const UNIVERSAL = "@mcp-codegen/universal";
const CONTEXT = importType("AskingContext", UNIVERSAL);

export function emitServer(plan: ContractPlan): readonly OutputFile[] {
  return [emitIndex(plan), ...emitTypes(plan), emitData(plan), ...emitValidators(plan)];
}

function emitIndex(plan: ContractPlan): OutputFile {
  const name = identifier(plan.typeName);
  const lists = LISTS.filter(
    (list) => plan.entries[list].length > 0 && FAMILIES[list].use !== undefined,
  );
  const members = lists.map((list) => {
    const lines = plan.entries[list].map((entry) => handler(list, entry));
    return code`readonly ${memberName(list)}: {\n${join(lines, code`\n`)}};\n`;
  });
  const template = importValue("ResourceTemplate", UNIVERSAL);
  const validators = validatorsSymbol(plan);
  const body = code`${docText(`A handler for everything that the contract of ${plan.server} has.`)}export interface ${name}Handlers {\n${join(members, code`\n`)}}

${docText("Registers the whole contract with a server, with its definitions. Results that do not match their schemas are rejected.")}export function implement${name}(server: ${importType("McpServer", UNIVERSAL)}, handlers: ${name}Handlers): void {
  ${importValue("implementContract", CONTRACT_MODULE)}(
    server,
    ${importValue("contract", "./contract.js")},
    handlers,
    (uriTemplate) => new ${template}(uriTemplate),
    ${validators ? code`${validators},` : EMPTY}
  );
}

${sharedExports(plan)}`;
  return { path: "index.ts", text: printModule(header(plan), body) };
}

function typeName({ name }: NamedTypes): Code {
  return code`${TYPES}.${identifier(name)}`;
}

function handler(list: ContractList, entry: EntryPlan): Code {
  const doc = comment(entry.doc ?? `The ${FAMILIES[list].noun} ${entry.key}.`);
  return code`${doc}readonly ${memberName(entry.key)}: (${parametersOf(list, entry)}context: ${CONTEXT}) => ${resultOf(list, entry)};\n`;
}

function parametersOf(list: ContractList, { input }: EntryPlan): Code {
  const kind = entryKind(list);
  if (kind === "resource") return code`uri: URL, `;
  if (kind === "other") return EMPTY;
  const type = input ? typeName(input) : code`object`;
  return kind === "template" ? code`uri: URL, variables: ${type}, ` : code`args: ${type}, `;
}

function resultOf(list: ContractList, { output }: EntryPlan): Code {
  const types = outcomesOf(list, output);
  const all = join([...types, importType("InputRequired", "@mcp-codegen/runtime")], code` | `);
  return code`${all} | Promise<${all}>`;
}

function outcomesOf(list: ContractList, output: NamedTypes | undefined): readonly Code[] {
  const result = (name: string): Code => code`${importType(name, UNIVERSAL)}`;
  const block = importType("ContentBlock", `${UNIVERSAL}/types`);
  switch (entryKind(list)) {
    case "tool":
      return output
        ? [typeName(output), result("CallToolResult")]
        : [code`string`, code`readonly ${block}[]`, result("CallToolResult"), code`void`];
    case "prompt":
      return [code`string`, result(FAMILIES[list].result!)];
    case "other":
      return [result(FAMILIES[list].result!)];
    default:
      return [code`string`, code`Uint8Array`, result(FAMILIES[list].result!), code`undefined`];
  }
}
