import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "../cli/build.js";
import { cli, type CliResult } from "../cli/cli.js";
import { TestFolder } from "../output/folder.js";
import { run } from "../support/run.js";
import strictFlags from "./strict-flags.json" with { type: "json" };

export const program = (name: string): string =>
  join(root, "test/contract/programs", `${name}.mjs`);

/** A project with a lock file and the code that is generated from it. */
export class ContractProject extends TestFolder {
  constructor() {
    super();
    symlinkSync(join(root, "node_modules"), join(this.path, "node_modules"));
    const compilerOptions = {
      // All strict compiler options.
      ...strictFlags,
      target: "es2022",
      module: "nodenext",
      types: [],
      declaration: true,
      noEmit: true,
      skipLibCheck: true,
    };
    this.put({
      "package.json": JSON.stringify({ type: "module" }),
      "tsconfig.json": JSON.stringify({ compilerOptions, include: ["src"] }),
    });
  }

  cli(...args: string[]): Promise<CliResult> {
    return cli(args, { cwd: this.path });
  }

  /** Locks the server that a command starts, and generates several kinds of code into `src/<kind>`. */
  async generate(command: readonly string[], kinds: readonly string[]): Promise<CliResult[]> {
    const done = [await this.cli("lock", "tracker", ...command)];
    for (const kind of kinds) {
      done.push(await this.cli("contract", kind, "tracker", "--out", `src/${kind}`));
    }
    return done;
  }

  /** Compiles the project and returns the compiler's messages; empty if there are none. */
  async compile(compiler = "typescript"): Promise<string> {
    const tsc = join(root, "node_modules", compiler, "bin/tsc");
    const { stdout, stderr } = await run(process.execPath, [tsc, "-p", "."], { cwd: this.path });
    return `${stdout}${stderr}`;
  }

  /** Loads a generated module with the test runner. */
  load<Module>(path: string): Promise<Module> {
    return import(pathToFileURL(join(this.path, "src", path)).href) as Promise<Module>;
  }
}
