import { jsonSchemas } from "@mcp-codegen/runtime/json-schema";
import type { Diagnostic, Diagnostics, OutputFile } from "mcp-codegen";
import { format } from "mcp-codegen/emit";
import type { LockedServer } from "../lock/lock-file.js";
import { isRecord } from "../lock/read-json.js";
import { emitClient } from "./contract-client.js";
import { emitDocs } from "./contract-docs.js";
import { type ContractPlan, planContract } from "./contract-plan.js";
import { emitServer } from "./contract-server.js";
import { emitTree } from "./contract-tree.js";

/** Remarks about one server that are shown. */
const MOST_REMARKS = 10;

/** Kinds of code that is made from a contract. */
export const EMITTERS = {
  client: emitClient,
  server: emitServer,
  tree: emitTree,
  docs: emitDocs,
} as const satisfies Readonly<Record<string, (plan: ContractPlan) => readonly OutputFile[]>>;

export type ContractKind = keyof typeof EMITTERS;

/** Makes the files of one kind from the contract of a server. What the code leaves open are warnings. */
export async function emitContract(
  kind: ContractKind,
  server: string,
  locked: LockedServer,
  command: string,
  diagnostics: Diagnostics,
): Promise<readonly OutputFile[]> {
  const remarks = new Remarks(server, diagnostics);
  const unchecked = uncheckable(locked).map(({ name, problem }) => {
    if (kind !== "docs") {
      remarks.add({
        code: "MCG9010",
        message: `the schemas of the tool ${JSON.stringify(name.slice(0, 80))} cannot be checked: ${problem}`,
        hint: "Its arguments and results pass unchecked.",
      });
    }
    return name;
  });
  const plan = planContract(server, locked, { command, unchecked }, (entry, problem) =>
    remarks.add({
      code: "MCG9011",
      message: `${entry.slice(0, 120)}: ${problem}`,
      hint: "Its type is `unknown` there.",
    }),
  );
  remarks.end();
  return format(EMITTERS[kind](plan));
}

/** Tools with a schema that no check can be made of. */
function uncheckable({ tools }: LockedServer): readonly { name: string; problem: string }[] {
  const compile = jsonSchemas({ trust: "foreign" });
  return tools.flatMap(({ definition }) => {
    try {
      for (const schema of [definition["inputSchema"], definition["outputSchema"]]) {
        if (isRecord(schema)) compile(schema);
      }
      return [];
    } catch (error) {
      return [{ name: String(definition["name"]), problem: (error as Error).message }];
    }
  });
}

type Remark = Required<Pick<Diagnostic, "code" | "message" | "hint">>;

/** Warnings of which the first few are shown, and the number of the others. */
class Remarks {
  readonly #server: string;
  readonly #diagnostics: Diagnostics;
  #number = 0;

  constructor(server: string, diagnostics: Diagnostics) {
    this.#server = server;
    this.#diagnostics = diagnostics;
  }

  add({ message, ...remark }: Remark): void {
    this.#number += 1;
    if (this.#number > MOST_REMARKS) return;
    const text = `${this.#server}: ${message.replace(/\.?$/, ".")}`;
    this.#diagnostics.add({ ...remark, severity: "warning", message: text });
  }

  end(): void {
    const rest = this.#number - MOST_REMARKS;
    if (rest <= 0) return;
    const message = `${this.#server}: there are ${rest} more remarks like these.`;
    this.#diagnostics.add({ code: "MCG9012", severity: "warning", message });
  }
}
