import { readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runProgram } from "./child.js";
import { root } from "./places.js";
import type { Scratch } from "./scratch.js";

const TIMEOUT = 120_000;

/** The outcome of a program. */
export interface Run {
  readonly ok: boolean;
  readonly text: string;
}

/** A project in a scratch folder, with one server's lock files and the code generated from them. */
export class ContractProject {
  readonly #scratch: Scratch;

  constructor(scratch: Scratch) {
    this.#scratch = scratch;
    symlinkSync(join(root, "node_modules"), join(scratch.home, "node_modules"));
    this.#write("package.json", JSON.stringify({ type: "module" }));
    const flags = JSON.parse(
      readFileSync(join(root, "test/contract/strict-flags.json"), "utf8"),
    ) as object;
    const compilerOptions = {
      ...flags,
      target: "es2022",
      module: "nodenext",
      types: [],
      declaration: true,
      skipLibCheck: true,
      rootDir: "src",
      outDir: "dist",
    };
    this.#write("tsconfig.json", JSON.stringify({ compilerOptions, include: ["src"] }));
  }

  /** Runs `mcp-codegen` in the project. */
  cli(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Run> {
    return this.#node([join(root, "generator/dist/cli/bin.js"), ...args], env);
  }

  compile(): Promise<Run> {
    return this.#node([join(root, "node_modules/typescript/bin/tsc"), "-p", "."]);
  }

  lint(): Promise<Run> {
    const config = join(root, ".oxlintrc.json");
    const oxlint = join(root, "node_modules/oxlint/bin/oxlint");
    return this.#node([oxlint, "--deny-warnings", "--config", config, "src"]);
  }

  /** Writes a program into the project and runs it as a module. */
  run(name: string, text: string, args: readonly string[]): Promise<Run> {
    this.#write(name, text);
    return this.#node([join(this.#scratch.home, name), ...args]);
  }

  read(name: string): string {
    return readFileSync(join(this.#scratch.home, name), "utf8");
  }

  /** Returns the names in a folder, or none if it is missing. */
  list(name: string): readonly string[] {
    try {
      return readdirSync(join(this.#scratch.home, name));
    } catch {
      return [];
    }
  }

  #write(name: string, text: string): void {
    writeFileSync(join(this.#scratch.home, name), text);
  }

  async #node(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Run> {
    // The shell prints the exit code, so killed programs have none.
    const shell = 'cd "$HOME" && "$0" "$@" 2>&1; echo "exit $?"';
    const program = { file: "/bin/sh", args: ["-c", shell, process.execPath, ...args], env };
    const { stdout, isTimedOut } = await runProgram(program, this.#scratch, TIMEOUT);
    const [, text = stdout, code] = /^([^]*)exit (\d+)\n$/.exec(stdout) ?? [];
    return { ok: code === "0" && !isTimedOut, text: isTimedOut ? "takes too long" : text.trim() };
  }
}
