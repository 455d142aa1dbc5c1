import type { OutputFile } from "mcp-codegen";
import {
  type Check,
  type Code,
  Functions,
  type ImportedSymbol,
  RUNTIME,
  type Runtime,
  code,
  docText,
  identifier,
  importType,
  importValue,
  join,
  literal,
  objectKey,
  printFunctions,
  printModule,
  printShapes,
  runtimeSymbol,
  validatorModule,
} from "mcp-codegen/emit";
import { CONTRACT_MODULE, header } from "./contract-types.js";
import type { ContractPlan, EntryPlan } from "./contract-plan.js";

export function emitValidators(plan: ContractPlan): readonly OutputFile[] {
  const checks = checksOf(plan);
  if (checks.size === 0) return [];
  const functions = new Functions({
    exported: checks,
    hidden: new Map(),
    described: checks,
    inline: new Set(),
  });
  const names = [...checks.keys()];
  const validators = validatorModule(printFunctions([...checks], checks, functions, runtime));
  const shapes = printShapes(names, checks, functions, runtime);
  const type = importType("ContractValidators", CONTRACT_MODULE);
  const rows = plan.entries.tools.flatMap(validatorsOf);
  const table = code`${docText("Validators of tools, by their names.")}export const validators: ${type} = {\n${join(rows, code`\n`)}\n};\n`;
  return [
    { path: "validators.ts", text: printModule(header(plan), code`${validators}\n\n${table}`) },
    { path: "shapes.ts", text: printModule(header(plan), shapes) },
  ];
}

const runtime: Runtime = (name) => runtimeSymbol({ runtime: RUNTIME }, name);

export function validatorsSymbol(plan: ContractPlan): ImportedSymbol | undefined {
  return checksOf(plan).size > 0 ? importValue("validators", "./validators.js") : undefined;
}

export function checksArgument(plan: ContractPlan, validators: ImportedSymbol | undefined): Code {
  const compiler = importValue("jsonSchemas", "@mcp-codegen/runtime/json-schema");
  const isWhole = plan.entries.tools.every((tool) => isCovered(plan, tool, validators));
  const members = [
    ...(validators ? [code`${validators}`] : []),
    ...(isWhole ? [] : [code`compile: ${compiler}({ trust: "foreign" })`]),
    ...(Object.keys(plan.unchecked).length > 0
      ? [code`unchecked: ${literal(plan.unchecked)}`]
      : []),
  ];
  return members.length === 0 ? code`{}` : code`{ ${join(members, code`, `)} }`;
}

function isCovered(
  { unchecked }: ContractPlan,
  { key, input, output }: EntryPlan,
  validators: ImportedSymbol | undefined,
): boolean {
  const places = Object.hasOwn(unchecked, key) ? unchecked[key]! : [];
  return Object.entries({ inputSchema: input, outputSchema: output }).every(
    ([part, types]) =>
      types === undefined ||
      places.includes(`/${part}`) ||
      (validators !== undefined && types.check !== undefined),
  );
}

function checksOf({ entries }: ContractPlan): ReadonlyMap<string, Check> {
  return new Map(
    entries.tools.flatMap(({ input, output }) =>
      [input, output].flatMap((types): [string, Check][] =>
        types?.check ? [[types.name, types.check]] : [],
      ),
    ),
  );
}

function validatorsOf({ key, input, output }: EntryPlan): readonly Code[] {
  const members = [
    ...(input?.check ? [code`inputSchema: ${identifier(input.name)}`] : []),
    ...(output?.check ? [code`outputSchema: ${identifier(output.name)}`] : []),
  ];
  return members.length === 0 ? [] : [code`${objectKey(key)}: { ${join(members, code`, `)} },`];
}
