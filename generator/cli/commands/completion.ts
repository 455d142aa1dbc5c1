import type { Command } from "../command.js";

/**
 * Returns the command that prints a completion script.
 *
 * @param commands - returns all commands; called only when the command runs, because that list includes this command
 */
export function completionOf(commands: () => readonly Command[]): Command {
  return {
    name: "completion",
    parameters: "[shell]",
    description: "Print a script that completes commands, options and revisions in a shell",
    positionals: {
      shell: {
        type: "string",
        choices: ["bash", "zsh", "fish"],
        describe: "bash, zsh or fish (default: the shell in $SHELL)",
      },
    },
    options: {},
    examples: [
      ['eval "$($0 completion bash)"', "in ~/.bashrc; for zsh, the same with zsh in ~/.zshrc"],
      ["$0 completion fish > ~/.config/fish/completions/mcp-codegen.fish", ""],
    ],
    epilogue:
      "The script completes the command mcp-codegen, which must be in PATH: install it globally, or add node_modules/.bin.",
    json: "shell, script",
    async run(values, { diagnostics }) {
      const { runCompletion } = await import("../run/completion.js");
      return runCompletion(values, commands(), diagnostics);
    },
  };
}
