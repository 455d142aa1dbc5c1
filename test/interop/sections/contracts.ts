import { inParallel } from "../core/in-parallel.js";
import { ContractProject, type Run } from "../core/contract-project.js";
import { type ServerEntry, titleOf } from "../core/manifest.js";
import { type Packages, programIn } from "../core/packages.js";
import type { Part, Row } from "../core/row.js";
import { Scratch } from "../core/scratch.js";
import { withoutPaths } from "../core/visit.js";

const REVISIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"];

/** Locks published servers twice at each revision that they support, and uses each contract's typed client. */
export async function lockServers(
  entries: readonly ServerEntry[],
  packages: Packages,
  report: (line: string) => void,
): Promise<Part> {
  const local = entries.filter((entry) => entry.stdio ?? !(entry.http ?? entry.sse));
  const rows = await inParallel(local, 2, async (entry) => {
    const scratch = new Scratch();
    try {
      const row = await new ContractRun(entry, packages, scratch).row();
      report(row.cells.join(" | "));
      return row;
    } finally {
      scratch.end();
    }
  });
  return {
    title: "Contracts of published servers",
    about:
      "Each server that starts from the command line is locked twice in each revision that it speaks: the files have to be the " +
      "same, byte for byte. A typed client of each contract has to compile under all strict flags of the compiler, be clean for " +
      "the linter, and call a tool of the server through the guard of contracts. `Generated checks`: schemas with a validator " +
      "of their own; the others are left to `jsonSchemas()`.",
    head: [
      "Server",
      "Revisions",
      "Tools",
      "Generated checks",
      "Same bytes",
      "Compiles",
      "Lint",
      "Call",
      "Remarks",
    ],
    rows,
  };
}

type Step = "lock" | "same" | "generate" | "compile" | "lint" | "call";

class ContractRun {
  readonly #entry: ServerEntry;
  readonly #packages: Packages;
  readonly #scratch: Scratch;
  readonly #problems = new Map<Step, string>();

  constructor(entry: ServerEntry, packages: Packages, scratch: Scratch) {
    this.#entry = entry;
    this.#packages = packages;
    this.#scratch = scratch;
  }

  async row(): Promise<Row> {
    const project = new ContractProject(this.#scratch);
    let command: readonly string[];
    try {
      command = await this.#command();
    } catch (error) {
      const failure = `cannot be installed: ${(error as Error).message.slice(0, 300)}`;
      return {
        cells: [titleOf(this.#entry), "", "", "", "", "", "", "", failure],
        failures: [failure],
      };
    }
    const spoken: string[] = [];
    let problem: string | undefined;
    for (const revision of REVISIONS) {
      const first = await this.#lock(project, command, revision, "a");
      if (!first.ok) {
        if (!first.text.includes("does not seem to support")) problem ??= first.text;
        continue;
      }
      spoken.push(revision);
      await this.#lock(project, command, revision, "b");
      const [one, other] = ["a", "b"].map((name) => project.read(`${revision}.${name}.json`));
      if (one !== other) this.#fails("same", `${revision}: ${differenceOf(one!, other!)}`);
    }
    if (spoken.length === 0) this.#fails("lock", problem ?? "it speaks none of the revisions");
    for (const revision of spoken) {
      const [lock, out] = [`${revision}.a.json`, `src/${revision}`];
      this.#expect(
        "generate",
        await project.cli(["contract", "client", "--lock", lock, "--out", out]),
      );
    }
    if (spoken.length > 0) {
      this.#expect("compile", await project.compile());
      this.#expect("lint", await project.lint());
      for (const revision of this.#entry.call ? spoken : []) {
        const task = JSON.stringify({
          command,
          revision,
          env: this.#environment(),
          call: this.#call(),
        });
        this.#expect("call", await project.run("call.mjs", CALL, [task]));
      }
    }
    return this.#rowOf(project, spoken);
  }

  async #command(): Promise<readonly string[]> {
    const { stdio = {} } = this.#entry;
    const program = programIn(await this.#packages.folder(this.#entry), this.#entry);
    for (const [name, text] of Object.entries(stdio.files ?? {})) this.#scratch.write(name, text);
    return [program.file, ...program.args, ...(stdio.args ?? []).map((text) => this.#fill(text))];
  }

  #fill(text: string): string {
    return this.#scratch.fill(text, { port: "39999" });
  }

  #environment(): Record<string, string> {
    const { env = {} } = this.#entry.stdio ?? {};
    return Object.fromEntries(Object.entries(env).map(([name, text]) => [name, this.#fill(text)]));
  }

  #call(): unknown {
    return JSON.parse(this.#scratch.fill(JSON.stringify(this.#entry.call)));
  }

  async #lock(
    project: ContractProject,
    command: readonly string[],
    revision: string,
    name: string,
  ): Promise<Run> {
    const env = this.#environment();
    const options = [
      "--revision",
      revision,
      "--out",
      `${revision}.${name}.json`,
      "--timeout",
      "40",
    ];
    const passed = Object.keys(env).flatMap((variable) => ["--env", variable]);
    return project.cli(["lock", "it", ...options, ...passed, "--", ...command], env);
  }

  #expect(step: Step, { ok, text }: Run): void {
    if (!ok) this.#fails(step, text);
  }

  #fails(step: Step, text: string): void {
    if (this.#problems.has(step)) return;
    this.#problems.set(step, withoutPaths(text.replaceAll(/\s+/g, " ")).slice(-300));
  }

  #rowOf(project: ContractProject, spoken: readonly string[]): Row {
    const { contract = {}, call } = this.#entry;
    const last = spoken.at(-1);
    const tools = last === undefined ? [] : toolsOf(project.read(`${last}.a.json`));
    const schemas = tools.flatMap((tool) =>
      [tool["inputSchema"], tool["outputSchema"]].filter(Boolean),
    );
    const checks = project.list(`src/${last}`).includes("validators.ts")
      ? project.read(`src/${last}/validators.ts`).match(/^ {2}\w+: Validator</gm)!.length
      : 0;
    const failures = [...this.#problems].filter(([step]) => contract[step] === undefined);
    const stale = Object.keys(contract).filter((step) => !this.#problems.has(step as Step));
    const known = [...this.#problems.keys()].filter((step) => contract[step] !== undefined);
    const cell = (step: Step): string =>
      spoken.length === 0 ? "" : this.#problems.has(step) ? "no" : "yes";
    const texts = [
      ...failures.map(([step, text]) => `${step}: ${text}`),
      ...stale.map(
        (step) => `"${step}" is expected to fail, but passes: remove it from the manifest`,
      ),
    ];
    const remarks = [
      ...texts.map((text) => `**${text}**`),
      ...known.map((step) => `${step}: ${contract[step]}`),
    ];
    const numbers = [
      spoken.map((id) => id.slice(2, 4) + id.slice(5, 7)).join(", "),
      String(tools.length),
    ];
    const steps = [cell("same"), cell("compile"), cell("lint"), call ? cell("call") : ""];
    return {
      cells: [
        titleOf(this.#entry),
        ...numbers,
        `${checks}/${schemas.length}`,
        ...steps,
        remarks.join("; "),
      ],
      failures: texts,
    };
  }
}

function toolsOf(lock: string): readonly Readonly<Record<string, unknown>>[] {
  const { servers } = JSON.parse(lock) as {
    servers: { it: { tools: { definition: Record<string, unknown> }[] } };
  };
  return servers.it.tools.map(({ definition }) => definition);
}

/** Returns the first lines that differ. */
function differenceOf(one: string, other: string): string {
  const [before, after] = [one.split("\n"), other.split("\n")];
  const index = before.findIndex((line, at) => line !== after[at]);
  return `${before[index]?.trim()} / ${after[index]?.trim()}`;
}

/** A program that calls a tool through a generated client, guarded by its contract. */
const CALL = `import { contractGuard } from "@mcp-codegen/contract";
import { connect } from "@mcp-codegen/universal";
const { command: [command, ...args], revision, env, call } = JSON.parse(process.argv[2]);
const { contract, ...made } = await import(\`./dist/\${revision}/index.js\`);
const { revisions } = await import("@mcp-codegen/universal");
const client = await connect({ command, args, env, stderr: "ignore" }, {
  plugins: [contractGuard(contract)],
  revisions: revisions.filter(({ id }) => id === revision),
  onerror: () => {},
});
const { tools } = Object.values(made).find((value) => typeof value === "function")(client);
const camel = call.name.toLowerCase().replace(/[^a-z0-9]+(.)/g, (_, letter) => letter.toUpperCase());
const name = Object.keys(tools).find((key) => key === call.name || key.toLowerCase() === camel.toLowerCase());
// An error of the server is an answer, too.
await tools[name](call.arguments).catch((error) => {
  if (error.name !== "RpcError") throw error;
});
await client.close();
process.exit(0);
`;
