import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "../support/run.js";
import { snippets } from "./snippets.js";

/** Matches a file name at the top of a block: `// server.ts`. */
const NAMED = /^\/\/ (\S+\.(?:ts|json))$/m;

/**
 * Follows a page as its reader does: writes the blocks that have a name and runs the commands, from top to bottom.
 *
 * @param folder - the folder to start in; `cd` in a command changes it
 * @returns What the commands printed.
 */
export async function followPage(markdown: string, folder: string): Promise<string> {
  let current = folder;
  let printed = "";
  for (const { language, text } of snippets(markdown)) {
    const name = NAMED.exec(text)?.[1];
    if (name !== undefined) {
      mkdirSync(current, { recursive: true });
      writeFileSync(join(current, name), `${text}\n`);
    }
    if (language !== "sh") continue;
    const script = `set -e\n${text}\necho "AT $PWD"`;
    const { code, stdout, stderr } = await run(script, [], { cwd: current, shell: true });
    if (code !== 0) throw new Error(`${text}: exit ${code}\n${stdout}\n${stderr}`);
    current = /^AT (.*)$/m.exec(stdout)![1]!;
    printed += stdout + stderr;
  }
  return printed;
}
