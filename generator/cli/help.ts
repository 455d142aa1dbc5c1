import { existsSync } from "node:fs";
import { join } from "node:path";
import { packageFolder } from "../bundled/bundled.js";
import type { Command, CommandOption } from "./command.js";
import { wrapColumns } from "./text.js";

const PURPOSE =
  "Types, validators, clients and servers from a schema: the Model Context Protocol's, or your own.";

const GENERAL: Readonly<Record<string, CommandOption>> = {
  json: { type: "boolean", description: "Print one JSON document, errors included" },
  help: { type: "boolean", alias: "h", description: "Show this help; after a command, its help" },
  version: { type: "boolean", alias: "v", description: "Show the version" },
};

const EXIT_CODES = [
  ["0", "done; with --check, nothing differs"],
  ["1", "a check failed: files or contracts differ, or there are findings"],
  ["2", "the command line or the configuration is wrong"],
  ["3", "the input is wrong, or the output cannot be written"],
  ["4", "a download or a login failed, or a port cannot be used"],
  ["5", "a server cannot be reached, or refuses the request"],
  ["70", "an internal error of mcp-codegen"],
] as const;

const ENVIRONMENT = [
  ["NO_COLOR", "switch colours off (they are off without a terminal)"],
  ["MCP_CODEGEN_DEBUG", "print the stack trace of an internal error"],
] as const;

/** The first line of each group's help text. */
const GROUPS: Readonly<Record<string, string>> = {
  contract:
    "Compare contracts of servers, and generate code and pages from them; `lock` writes them.",
};

export function groupHelpText(group: string, members: readonly Command[], width: number): string {
  const rows = members.map((member) => [signature(member), member.description] as const);
  return [
    ...(GROUPS[group] === undefined ? [] : [GROUPS[group]]),
    `Usage:\n  mcp-codegen ${group} <command> [options]`,
    `Commands:\n${wrapColumns(rows, width).join("\n")}`,
    `"mcp-codegen ${group} <command> --help" describes one of them.`,
  ].join("\n\n");
}

/** Returns a command's help text. For the default command, it also lists all other commands. */
export function helpText(command: Command, commands: readonly Command[], width: number): string {
  const isDefault = command === commands[0];
  const usage = isDefault
    ? ["mcp-codegen --revision <id> [options]", "mcp-codegen <command> [options]"]
    : [`mcp-codegen ${signature(command)} [options]`];
  const section = (title: string, rows: readonly (readonly [string, string])[]): string[] =>
    rows.length === 0 ? [] : [`${title}:\n${wrapColumns(rows, width).join("\n")}`];
  return [
    isDefault ? PURPOSE : `${command.description}.`,
    `Usage:\n${usage.map((line) => `  ${line}`).join("\n")}`,
    ...(isDefault
      ? section(
          "Commands",
          commands.map((other) => [signature(other), other.description]),
        )
      : []),
    ...section("Arguments", argumentRows(command)),
    ...groupsOf(command).flatMap(([title, options]) => section(title, optionRows(options))),
    ...section(
      "Examples",
      command.examples.map(([line, meaning]) => [line.replace("$0", "mcp-codegen"), meaning]),
    ),
    ...(command.epilogue === undefined ? [] : [command.epilogue]),
    ...(command.json === undefined ? [] : [`With --json:\n${jsonShape(command.json)}`]),
    ...section("Exit codes", EXIT_CODES),
    ...section("Environment", ENVIRONMENT),
    ...(isDefault ? [`Documentation:\n  ${documentation()}`] : []),
  ].join("\n\n");
}

function documentation(): string {
  const root = packageFolder();
  const inClone = join(root, "runtime", "docs", "README.md");
  return existsSync(inClone) ? inClone : join(root, "README.md");
}

function jsonShape(members: string): string {
  return `  { command, exitCode,
    diagnostics: [{ code, severity, message, hint?, example?, file?, line?, column? }],
    ${members.replaceAll("\n", "\n    ")} }`;
}

function signature({ name, parameters, usage = parameters, rest }: Command): string {
  const words = [name, usage, rest === undefined ? undefined : `[-- <${rest}…>]`];
  return words.filter((word) => word !== undefined).join(" ");
}

function argumentRows({ positionals = {}, usage }: Command): [string, string][] {
  return Object.entries(positionals).map(([name, { description, describe }]) => {
    return [usage ?? name, description ?? (describe || "")];
  });
}

function groupsOf({ options }: Command): [string, Record<string, CommandOption>][] {
  const groups = new Map<string, Record<string, CommandOption>>();
  for (const [name, option] of Object.entries({ ...options, ...GENERAL })) {
    const title = option.group ?? "Options";
    groups.set(title, { ...groups.get(title), [name]: option });
  }
  return [...groups];
}

function optionRows(options: Readonly<Record<string, CommandOption>>): [string, string][] {
  return Object.entries(options).map(
    ([name, { type, alias, value, description = "", default: standard, choices = [] }]) => {
      const short = typeof alias === "string" ? `-${alias}, ` : "";
      const placeholder = type === "boolean" ? "" : ` <${value ?? name}>`;
      const isListed = choices.every((choice) => description.includes(String(choice)));
      const remarks = [
        ...(isListed ? [] : [choices.join(", ")]),
        ...(standard === undefined ? [] : [`default: ${standard}`]),
      ];
      const remark = remarks.length === 0 ? "" : ` (${remarks.join("; ")})`;
      return [`${short}--${name}${placeholder}`, `${description}${remark}`];
    },
  );
}
