import { bundledRevisions } from "../bundled/bundled.js";
import type { Diagnostic } from "../diagnostics.js";
import type { Command } from "./command.js";
import { suggest } from "./suggest.js";

export interface WrongUsage {
  /** The error message from yargs. */
  readonly message: string;
  readonly args: readonly string[];
  readonly command: Command;
  readonly commands: readonly Command[];
}

export function explainUsage(usage: WrongUsage): readonly Diagnostic[] {
  const { message, command } = usage;
  const unknown = /^Unknown (?:argument|command)s?: (.+)$/.exec(message)?.[1];
  if (unknown !== undefined) return unknown.split(", ").map((name) => explainUnknown(name, usage));
  const lacking = /^Not enough arguments following: (.+)$/.exec(message)?.[1];
  if (lacking !== undefined) return [usageError(`--${lacking} needs a value.`, seeHelp(command))];
  if (message.startsWith("Not enough non-option arguments"))
    return [usageError(`${command.name} needs ${command.parameters}.`, firstExample(command))];
  const missing = /^Missing required arguments?: (.+)$/.exec(message)?.[1];
  if (missing !== undefined) {
    const names = missing.split(", ").map((name) => `--${name}`);
    return names.map((name) => usageError(`${name} is missing.`, firstExample(command)));
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

export function cannotListen(error: unknown): Diagnostic {
  const { code, message, port, address } = error as NodeJS.ErrnoException & {
    readonly port?: number;
    readonly address?: string;
  };
  const [problem, hint] =
    code === "EADDRINUSE"
      ? [`Port ${port} is in use`, "Stop the program that uses it, or choose another; 0 is any."]
      : code === "EACCES"
        ? [`Port ${port} needs other rights`, "Choose one above 1023; 0 is any free one."]
        : code === "EADDRNOTAVAIL" || code === "ENOTFOUND"
          ? [`This machine has no address ${address ?? "of that name"}`, "Check --host."]
          : [`Cannot listen: ${message}`, "Choose another port; 0 is any free one."];
  return { code: "MCG7020", severity: "error", message: `${problem}.`, hint };
}

export function usageError(message: string, hint?: string): Diagnostic {
  return { code: "MCG0001", severity: "error", message, ...(hint && { hint }) };
}

function explainUnknown(name: string, usage: WrongUsage): Diagnostic {
  const { args, command } = usage;
  const flag = args.find((arg) => arg.startsWith("-") && /^-+([^=]*)/.exec(arg)?.[1] === name);
  if (flag !== undefined) return explainUnknownFlag(flag.replace(/=.*/s, ""), usage);
  if (args[0] === name) return explainUnknownCommand(name, usage);
  return unexpected(name, command);
}

/** Returns the diagnostic for an argument that a command does not accept. The user may have omitted `--` before it. */
export function unexpected(argument: string, command: Command): Diagnostic {
  const example = command.examples.find(([line]) => line.includes(" -- "));
  const hint =
    command.rest === undefined || example === undefined
      ? seeHelp(command)
      : `Put -- before a command, as in: ${shown(example[0])}`;
  return usageError(`Unexpected argument "${argument}".`, hint);
}

const shown = (example: string): string => example.replace("$0", "mcp-codegen");

const firstExample = ({ examples }: Command): string => `For example: ${shown(examples[0]![0])}`;

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

export function seeHelp(command: Command): string {
  return `See "mcp-codegen ${command.name} --help".`;
}
