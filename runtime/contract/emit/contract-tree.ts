import type { OutputFile } from "mcp-codegen";
import {
  code,
  docText,
  identifier,
  importType,
  importValue,
  isIdentifier,
  literal,
  printModule,
} from "mcp-codegen/emit";
import { problemOfName } from "mcp-codegen/cli";
import { comment } from "../schema/print-type.js";
import { CONTRACT_MODULE, emitData, header, origin, declarations } from "./contract-types.js";
import type { ContractPlan, EntryPlan } from "./contract-plan.js";
import { checksArgument } from "./contract-validators.js";
import { codeSpan, inlineText } from "mcp-codegen/emit";
import { pascalCase } from "./names.js";

/** Generates a folder in which an agent can find tools: one module per tool, and a list of all tools. */
export function emitTree(plan: ContractPlan): readonly OutputFile[] {
  const files = fileNames(plan.entries.tools.map(({ key }) => key));
  return [
    emitList(plan, files),
    emitCall(plan),
    emitData(plan),
    ...plan.entries.tools.map((tool) => emitTool(plan, tool, files.get(tool.key)!)),
  ];
}

/** Maps tool names to file names that every file system accepts. */
function fileNames(names: readonly string[]): ReadonlyMap<string, string> {
  const taken = new Set<string>();
  return new Map(
    names.map((name) => {
      const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? [];
      const text = words.join("-").slice(0, 60).replace(/-$/, "");
      const base = text === "" || problemOfName(`${text}.ts`) !== undefined ? `tool-${text}` : text;
      for (let number = 1; ; number += 1) {
        const file = number === 1 ? base : `${base}-${number}`;
        if (taken.has(file)) continue;
        taken.add(file);
        return [name, file];
      }
    }),
  );
}

function emitList(plan: ContractPlan, files: ReadonlyMap<string, string>): OutputFile {
  const lines = plan.entries.tools.map(({ key, definition }) => {
    const text = inlineText(String(definition["description"] ?? definition["title"] ?? ""), 160);
    return `- [${markdownCode(key)}](tools/${files.get(key)}.ts)${text === "" ? "" : `: ${text}`}`;
  });
  const text = [
    `<!-- ${origin(plan)} -->`,
    "",
    `# Tools of ${inlineText(plan.server, 80)}`,
    "",
    "Each file has the types of one tool, its description, and a function that calls it. Call `useClient(client)` of `call.ts` first.",
    "",
    ...lines,
    "",
  ].join("\n");
  return { path: "index.md", text };
}

function emitCall(plan: ContractPlan): OutputFile {
  const calls = importValue("ContractCalls", CONTRACT_MODULE);
  const options = importType("ContractCallsOptions", CONTRACT_MODULE);
  // A module in this folder describes only one tool, so no validators are generated.
  const checks = checksArgument(plan, undefined);
  const body = code`let calls: ${calls} | undefined;

${docText("Sets the client for all calls of tools.")}export function useClient(client: ${importType("ContractClient", CONTRACT_MODULE)}, options: ${options} = {}): void {
  calls = new ${calls}(client, ${importValue("contract", "./contract.js")}, ${checks}, options);
}

${docText("Calls a tool by its name.")}export function callTool(name: string, args?: object, options?: ${importType("CallOptions", CONTRACT_MODULE)}): ${importType("ToolCall", CONTRACT_MODULE)}<never, never> {
  if (calls === undefined) throw new Error("Call useClient(client) first.");
  return calls.tool(name, args, options);
}
`;
  return { path: "call.ts", text: printModule(header(plan), body) };
}

function emitTool(plan: ContractPlan, tool: EntryPlan, file: string): OutputFile {
  const { input, output, key } = tool;
  const name = functionName(tool);
  const structured = output ? identifier(output.name) : code`unknown`;
  const block = importType("ContentBlock", "@mcp-codegen/universal/types");
  const call = importType("ToolCall", CONTRACT_MODULE);
  const parameter = input
    ? code`args${input.isOptional ? code`?` : code``}: ${identifier(input.name)}, `
    : code``;
  const body = code`${input ? declarations(input, `Arguments of the tool ${key}.`) : []}${output ? declarations(output, `Structured result of the tool ${key}.`) : []}${comment(tool.doc ?? `The tool ${key}.`)}export function ${identifier(name)}(${parameter}options?: ${importType("CallOptions", CONTRACT_MODULE)}): ${call}<${structured}, ${block}> {
  return ${importValue("callTool", "../call.js")}(${literal(key)}, ${input ? code`args` : code`undefined`}, options);
}
`;
  return { path: `tools/${file}.ts`, text: printModule(header(plan), body) };
}

/** Returns the name of the function in a tool's module, which differs from the names that the module imports. */
function functionName({ key }: EntryPlan): string {
  const pascal = pascalCase(key, "Tool");
  const camel = pascal.charAt(0).toLowerCase() + pascal.slice(1);
  return isIdentifier(camel) && camel !== "callTool" && camel !== "then" ? camel : `${camel}_`;
}

function markdownCode(text: string): string {
  return text.trim() === "" ? codeSpan(JSON.stringify(text)) : codeSpan(text);
}
