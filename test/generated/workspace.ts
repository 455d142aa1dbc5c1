import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { packageFolder } from "../../generator/bundled/bundled.js";
import type { OutputFile } from "../../generator/plan/file-plan.js";
import { revisions } from "../generator/bundled.js";

/** The folder names of the compilers that generated code must pass. */
export const COMPILERS = ["typescript-5.9", "typescript-6", "typescript"] as const;
export type Compiler = (typeof COMPILERS)[number];

/** One line of the compiler's output. */
export interface CompilerError {
  /** The file's path: relative to the workspace, or absolute if the file lies outside it. */
  readonly file: string;
  readonly line: number;
  /** The error code, such as `TS2345`. */
  readonly code: string;
  /** The message, including the lines that explain its first one. */
  readonly message: string;
}

const STRICT = {
  target: "es2022",
  lib: ["es2023", "dom", "dom.iterable"],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noFallthroughCasesInSwitch: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  isolatedDeclarations: true,
  declaration: true,
  erasableSyntaxOnly: true,
  noEmit: true,
  skipLibCheck: true,
  types: [],
};

const root = packageFolder();

/** A folder outside the repository with copies of the generated packages. */
export class Workspace {
  readonly folder: string = realpathSync(mkdtempSync(join(tmpdir(), "mcp-codegen-")));

  constructor() {
    this.add(".", [{ path: "package.json", text: `{ "type": "module" }` }]);
    for (const revision of revisions) {
      cpSync(join(root, "generated", revision), join(this.folder, revision), {
        recursive: true,
        filter: (path) => !["dist", "node_modules"].includes(basename(path)),
      });
    }
  }

  add(folder: string, files: readonly OutputFile[]): void {
    for (const { path, text } of files) {
      const file = join(this.folder, folder, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
  }

  /** Type-checks files. The `paths` are relative to the workspace. */
  async compile(
    compiler: Compiler,
    resolution: "nodenext" | "bundler",
    paths: readonly string[],
    options: object = {},
  ): Promise<CompilerError[]> {
    const compilerOptions = {
      ...STRICT,
      module: resolution === "nodenext" ? "nodenext" : "preserve",
      moduleResolution: resolution,
      paths: {
        "@mcp-codegen/runtime": [join(root, "runtime/index.ts")],
        "@mcp-codegen/runtime/codegen": [join(root, "runtime/codegen.ts")],
        "@mcp-codegen/runtime/codegen/*": [join(root, "runtime/codegen/*.ts")],
        "@mcp-codegen/runtime/features": [join(root, "runtime/features/index.ts")],
        "@mcp-codegen/runtime/memory": [join(root, "runtime/memory/index.ts")],
        ...Object.fromEntries(
          revisions.flatMap((name) => [
            [`@mcp-codegen/${name}`, [join(this.folder, name, "index.ts")]],
            [`@mcp-codegen/${name}/*`, [join(this.folder, name, "*.ts")]],
          ]),
        ),
      },
      ...options,
    };
    const config = join(this.folder, `tsconfig.${compiler}.${resolution}.json`);
    writeFileSync(config, JSON.stringify({ compilerOptions, include: paths }));
    const tsc = join(root, "node_modules", compiler, "bin/tsc");
    const output = await run([tsc, "-p", config, "--pretty", "false"], this.folder);
    return [...output.matchAll(/^(.+?)\((\d+),\d+\): error (TS\d+): (.*(?:\n\s.*)*)$/gm)].map((match) => ({
      file: match[1]!,
      line: Number(match[2]),
      code: match[3]!,
      message: match[4]!,
    }));
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

}

/** Returns the output of a compiler that finds errors. Any other outcome is a failure here. */
async function run(command: readonly string[], cwd: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, command, { cwd, maxBuffer: 1e8 }, (error, stdout, stderr) => {
      const lines = stdout.split("\n").filter((line) => line.trim() !== "");
      const understood = lines.every((line) => /^\s|: error TS\d+: /.test(line));
      if (stderr !== "" || !understood || (error !== null && lines.length === 0)) {
        reject(new Error(`${command.join(" ")} says: ${stderr}${stdout}`));
      } else resolve(stdout);
    });
  });
}
