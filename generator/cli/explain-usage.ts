import { bundledRevisions } from "../bundled/bundled.js";
import type { Diagnostic } from "../diagnostics.js";
import type { Command } from "./command.js";
import { suggest } from "./suggest.js";

/** An invalid command line. */
export interface WrongUsage {
  /** Error message of yargs. */
  readonly message: string;
  readonly args: readonly string[];
  readonly command: Command;
  readonly commands: readonly Command[];
}

/** Explains what is wrong with a command line, and suggests what was probably meant. */
export function explainUsage(usage: WrongUsage): readonly Diagnostic[] {
  const { message, command } = usage;
  const unknown = /^Unknown (?:argument|command)s?: (.+)$/.exec(message)?.[1];
  if (unknown !== undefined) return unknown.split(", ").map((name) => explainUnknown(name, usage));
  const lacking = /^Not enough arguments following: (.+)$/.exec(message)?.[1];
  if (lacking !== undefined) return [usageError(`--${lacking} needs a value.`, seeHelp(command))];
  if (message.startsWith("Not enough non-option arguments")) {
    const example = command.examples[0]?.[0].replace("$0", "mcp-codegen");
    return [usageError(`${command.name} needs ${command.parameters}.`, `For example: ${example}`)];
  }
  const [, one, other] = /^Arguments (\S+) and (\S+) are mutually exclusive$/.exec(message) ?? [];
  if (one !== undefined)
    return [usageError(`--${one} and --${other} cannot be combined.`, "Use one of them.")];
  const invalid = /Argument: (.+?), Given: (.+?), Choices: (.+)/.exec(message);
  if (invalid) {
    const [, name = "", value, choices] = invalid;
    const shown = Object.hasOwn(command.positionals ?? {}, name) ? `<${name}>` : `--${name}`;
    return [usageError(`${shown} cannot be ${value}.`, `Choose ${choices}.`)];
  }
  return [usageError(message.replace(/\.?$/, "."), seeHelp(command))];
}

export function usageError(message: string, hint?: string): Diagnostic {
  return { code: "MCG0001", severity: "error", message, ...(hint && { hint }) };
}

function explainUnknown(name: string, usage: WrongUsage): Diagnostic {
  const { args, command } = usage;
  const flag = args.find((arg) => arg.startsWith("-") && /^-+([^=]*)/.exec(arg)?.[1] === name);
  if (flag !== undefined) return explainUnknownFlag(flag.replace(/=.*/s, ""), usage);
  if (args[0] === name) return explainUnknownCommand(name, usage);
  return usageError(`Unexpected argument "${name}".`, seeHelp(command));
}

function explainUnknownFlag(flag: string, { command, commands }: WrongUsage): Diagnostic {
  const owners = commands.filter(({ options }) => Object.hasOwn(options, flag.slice(2)));
  const flags = [...Object.keys(command.options), "json", "help", "version"].map(
    (key) => `--${key}`,
  );
  const hint =
    owners.length > 0
      ? `It is an option of ${owners.map(({ name }) => `"${name}"`).join(", ")}.`
      : (suggest(flag, flags) ?? seeHelp(command));
  return usageError(`Unknown option ${flag} for "${command.name}".`, hint);
}

function explainUnknownCommand(name: string, { commands }: WrongUsage): Diagnostic {
  const isRevision = bundledRevisions().some(({ revision }) => revision === name);
  const hint = isRevision
    ? `Did you mean "--revision ${name}"?`
    : suggest(
        name,
        commands.map((command) => command.name),
      );
  const known = commands.map((command) => command.name).join(", ");
  return usageError(`Unknown command "${name}".`, hint ?? `The commands are: ${known}.`);
}

function seeHelp(command: Command): string {
  return `See "mcp-codegen ${command.name} --help".`;
}
