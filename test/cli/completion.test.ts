import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { commands } from "../../generator/cli/commands/commands.js";
import { TestFolder } from "../output/folder.js";
import { build } from "./build.js";
import { cli, cliJson } from "./cli.js";

beforeAll(build, 120_000);

const REVISIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"];

/** Command lines up to the cursor, each with the completions of its last word. */
const CASES: readonly (readonly [line: string, expected: readonly string[]])[] = [
  ["mcp-codegen fin", ["fingerprint"]],
  ["mcp-codegen lo", ["lock", "login", "logout"]],
  ["mcp-codegen contract d", ["diff", "docs"]],
  ["mcp-codegen contract diff --s", ["--sarif"]],
  ["mcp-codegen contract diff --fail-on d", ["dangerous"]],
  ["mcp-codegen diff 2025-", ["2025-03-26", "2025-06-18", "2025-11-25"]],
  ["mcp-codegen diff 2025-03-26 2026", ["2026-07-28"]],
  ["mcp-codegen diff --fail-on b", ["breaking"]],
  ["mcp-codegen --rev", ["--revision"]],
  ["mcp-codegen --revision ", REVISIONS],
  ["mcp-codegen --all --mod", ["--modules-only"]],
  ["mcp-codegen generate --revision 2024", ["2024-11-05"]],
  ["mcp-codegen completion z", ["zsh"]],
  ["mcp-codegen lock files -- npx --j", []],
];

/** Programs that print a shell's completions for `$LINE`, one word per line, using the script in `$SCRIPT`. */
const PROGRAMS: Readonly<Record<string, readonly string[]>> = {
  bash: [
    "--norc",
    "-c",
    `source "$SCRIPT"
     COMP_WORDS=($LINE); [[ $LINE == *" " ]] && COMP_WORDS+=("")
     COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); COMP_LINE=$LINE; COMP_POINT=\${#LINE}
     complete -p mcp-codegen > /dev/null || exit 1
     _mcp_codegen
     printf '%s\\n' "\${COMPREPLY[@]}"`,
  ],
  zsh: [
    "-f",
    "-c",
    `source "$SCRIPT"
     words=(\${(s: :)LINE}); [[ $LINE == *" " ]] && words+=("")
     CURRENT=$#words; COMP_CWORD=$((CURRENT - 1)); COMP_WORDS=("\${words[@]}")
     [[ $_comps[mcp-codegen] == _bash_complete*_mcp_codegen* ]] || exit 1
     compgen -F _mcp_codegen -- "$words[CURRENT]" | grep -e "^$words[CURRENT]"`,
  ],
  fish: ["--no-config", "-c", 'source "$SCRIPT"; complete -C "$LINE"'],
};

function isInstalled(shell: string): boolean {
  return spawnSync(shell, ["-c", "exit 0"]).status === 0;
}

async function scriptOf(shell: string, folder: TestFolder): Promise<string> {
  const { code, stdout } = await cli(["completion", shell], { cwd: folder.path });
  expect(code).toBe(0);
  folder.put({ script: stdout });
  return join(folder.path, "script");
}

describe("the completion script", () => {
  it.for(Object.keys(PROGRAMS))("completes command lines in %s", async (shell, context) => {
    if (!isInstalled(shell)) return context.skip(`${shell} is not installed`);
    using folder = new TestFolder();
    const SCRIPT = await scriptOf(shell, folder);
    for (const [LINE, expected] of CASES) {
      const env = { ...process.env, HOME: folder.path, SCRIPT, LINE };
      const { stdout, stderr } = spawnSync(shell, PROGRAMS[shell]!, { encoding: "utf8", env });
      const shown = stdout.split("\n").flatMap((line) => line.split("\t", 1)[0] || []);
      expect({ LINE, stderr, shown: shown.toSorted() }).toEqual({
        LINE,
        stderr: "",
        shown: [...expected],
      });
    }
  });

  it.each(["bash", "zsh", "fish"])("knows every command and option in %s", async (shell) => {
    using folder = new TestFolder();
    const { json } = await cliJson(["completion", shell], { cwd: folder.path });
    expect(json).toMatchObject({ shell });
    for (const { name, options } of commands) {
      expect(json["script"]).toContain(name);
      for (const option of Object.keys(options))
        expect(json["script"]).toContain(shell === "fish" ? ` -l ${option} ` : `--${option}`);
    }
  });

  it.each([
    ["/usr/bin/fish", 0, "for fish"],
    ["/bin/tcsh", 2, 'no completion for the shell "tcsh"'],
    ["", 2, "$SHELL is not set"],
  ])("is for the user's shell: %j", async (SHELL, expected, text) => {
    using folder = new TestFolder();
    const options = { cwd: folder.path, env: { SHELL } };
    const { code, stdout, stderr } = await cli(["completion"], options);
    expect([code, stdout + stderr]).toEqual([expected, expect.stringContaining(text)]);
  });
});
