import type { SchemaCompiler } from "@mcp-codegen/runtime/features";
import { isObject } from "../json.js";
import { jsonSchemas, SchemaError } from "@mcp-codegen/runtime/json-schema";
import type { Diagnostic, Diagnostics, OutputFile } from "mcp-codegen";
import { format } from "mcp-codegen/emit";
import type { Definition, LockedServer } from "../lock/lock-file.js";

import { withoutIgnored } from "../server-contract.js";
import { emitClient } from "./contract-client.js";
import { emitDocs } from "./contract-docs.js";
import { type ContractPlan, planContract, type Unchecked } from "./contract-plan.js";
import { emitServer } from "./contract-server.js";
import { emitTree } from "./contract-tree.js";

const MOST_REMARKS = 10;

const EMITTERS = {
  client: emitClient,
  server: emitServer,
  tree: emitTree,
} as const satisfies Readonly<Record<string, (plan: ContractPlan) => readonly OutputFile[]>>;

export type ContractKind = keyof typeof EMITTERS | "docs";

/** Generates one kind of code from a server's contract. Warns about parts that the code does not cover. */
export async function emitContract(
  kind: ContractKind,
  server: string,
  locked: LockedServer,
  command: string,
  diagnostics: Diagnostics,
): Promise<readonly OutputFile[]> {
  const remarks = new Remarks(server, diagnostics);
  const unchecked = uncheckable(locked, (name, problem, isWhole) => {
    if (kind === "docs") return;
    remarks.add({
      code: "MCG9010",
      message: `in the tool ${JSON.stringify(name.slice(0, 80))}, ${problem}`,
      hint: isWhole
        ? "Values of this schema are not checked."
        : "The keyword is not checked; all others are.",
    });
  });
  const plan = planContract(server, locked, { command, unchecked }, (entry, problem) =>
    remarks.add({
      code: "MCG9011",
      message: `${entry.slice(0, 120)}: ${problem}`,
      hint: "Its type is `unknown` there.",
    }),
  );
  remarks.end();
  return kind === "docs" ? emitDocs(plan) : format(EMITTERS[kind](plan));
}

const MOST_PLACES = 100;

/**
 * Returns the places for which no validator can be generated: a keyword with an unsupported pattern, or else a whole
 * schema.
 */
function uncheckable(
  { tools }: LockedServer,
  report: (tool: string, problem: string, isWhole: boolean) => void,
): Unchecked {
  const compile = jsonSchemas({ trust: "foreign" });
  const unchecked = new Map<string, readonly string[]>();
  for (const { definition } of tools) {
    const name = String(definition["name"]);
    const places = ["inputSchema", "outputSchema"].flatMap((part) => {
      const schema = definition[part];
      if (!isObject(schema)) return [];
      const { left, problem } = uncheckedKeywords(schema, compile);
      for (const one of problem === undefined ? left : [problem]) {
        report(name, one.message, one === problem);
      }
      return problem === undefined ? left.map(({ path }) => `/${part}${path}`) : [`/${part}`];
    });
    if (places.length > 0) unchecked.set(name, places);
  }
  return Object.fromEntries(unchecked);
}

interface Uncheckable {
  readonly left: readonly SchemaError[];
  readonly problem?: Error;
}

function uncheckedKeywords(schema: Definition, compile: SchemaCompiler): Uncheckable {
  const left: SchemaError[] = [];
  for (;;) {
    try {
      compile(
        withoutIgnored(
          schema,
          left.map(({ path }) => path),
        ),
      );
      return { left };
    } catch (error) {
      const isPattern = error instanceof SchemaError && error.path.endsWith("/pattern");
      if (!isPattern || left.length >= MOST_PLACES) return { left, problem: error as Error };
      left.push(error);
    }
  }
}

type Remark = Required<Pick<Diagnostic, "code" | "message" | "hint">>;

/** Collects warnings. Only the first few are reported, followed by the number of remaining ones. */
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
    const message = `${this.#server}: there are ${rest} more warnings like these.`;
    this.#diagnostics.add({ code: "MCG9012", severity: "warning", message });
  }
}
