import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const root = fileURLToPath(new URL("../../../../", import.meta.url));

/** By table name: the package of the project that is the compiler. */
export const compilers = { "tsc 5.9": "typescript-5.9", "tsc 7": "typescript" };
export type Compiler = keyof typeof compilers;

/** Seconds, MiB, and a number. */
export type Diagnosis = Record<"time" | "memory" | "instantiations", number>;

const options = {
  target: "es2022",
  module: "nodenext",
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  noEmit: true,
  types: ["node"],
};

/** A folder below `test/bench`, so that modules are found, for as long as it takes. */
export class Sources {
  readonly #folder: string;

  constructor() {
    const parent = join(root, "test/bench/dist/typecheck");
    mkdirSync(parent, { recursive: true });
    this.#folder = mkdtempSync(join(parent, "sources-"));
    writeFileSync(join(this.#folder, "package.json"), `{ "type": "module" }`);
  }

  /** @throws Error with what the compiler finds wrong */
  async compile(compiler: Compiler, name: string, text: string): Promise<Diagnosis> {
    const file = name.replaceAll(/[^A-Za-z0-9]+/g, "-");
    const config = join(this.#folder, `${file}.json`);
    writeFileSync(join(this.#folder, `${file}.ts`), text);
    writeFileSync(config, JSON.stringify({ compilerOptions: options, files: [`${file}.ts`] }));
    const tsc = join(root, "node_modules", compilers[compiler], "bin/tsc");
    const args = [tsc, "-p", config, "--extendedDiagnostics", "--pretty", "false"];
    try {
      const { stdout } = await run(process.execPath, args, { cwd: this.#folder, maxBuffer: 1e8 });
      return {
        time: figure(stdout, "Total time"),
        memory: figure(stdout, "Memory used") / 1024,
        instantiations: figure(stdout, "Instantiations"),
      };
    } catch (error) {
      const { stdout = "" } = error as { stdout?: string };
      throw new Error(`${compiler} refuses ${name}: ${stdout.slice(0, 2000)}`, { cause: error });
    }
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

const run = promisify(execFile);

function figure(text: string, name: string): number {
  const found = new RegExp(`^${name}:\\s+([\\d.]+)`, "m").exec(text);
  if (!found) throw new Error(`The compiler does not tell "${name}": ${text}`);
  return Number(found[1]);
}
