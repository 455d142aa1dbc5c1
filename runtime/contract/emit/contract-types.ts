import type { OutputFile } from "mcp-codegen";
import { type Code, EMPTY, code, docText, identifier, printModule } from "mcp-codegen/emit";
import { FAMILIES, LISTS } from "../families.js";
import { comment, printType } from "../schema/print-type.js";
import { header } from "./contract-header.js";
import type { ContractPlan, NamedTypes } from "./contract-plan.js";

/** `types.ts`: arguments and results of all entries of a contract; no file if there are none. */
export function emitTypes(plan: ContractPlan): readonly OutputFile[] {
  const body = LISTS.flatMap((list) =>
    plan.entries[list].flatMap(({ input, output, key }) => [
      ...(input ? declarations(input, `Arguments of the ${FAMILIES[list].noun} ${key}.`) : []),
      ...(output
        ? declarations(output, `Structured result of the ${FAMILIES[list].noun} ${key}.`)
        : []),
    ]),
  );
  if (body.length === 0) return [];
  return [{ path: "types.ts", text: printModule(header(plan), code`${body}`) }];
}

/** Exports that the modules of a contract share. */
export function sharedExports(plan: ContractPlan): Code {
  const types = emitTypes(plan).length > 0 ? code`export type * from "./types.js";\n` : EMPTY;
  return code`export { contract } from "./contract.js";\n${types}`;
}

/** A type and the types that it refers to. */
export function declarations({ name, types, targets }: NamedTypes, doc: string): readonly Code[] {
  const nameOf = (target: string): string => targets.get(target)!;
  return [
    declare(name, printType(types.root, nameOf), comment(doc)),
    ...[...types.targets].map(([target, type]) =>
      declare(nameOf(target), printType(type, nameOf), docText(`Part of {@link ${name}}.`)),
    ),
  ];
}

function declare(name: string, type: Code, doc: Code): Code {
  return code`${doc}export type ${identifier(name)} = ${type};\n\n`;
}
