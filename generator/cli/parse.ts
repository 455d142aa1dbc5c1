import type { Argv } from "yargs";
import { packageVersion } from "../bundled/bundled.js";
import type { Diagnostic } from "../diagnostics.js";
import { type Command, Values } from "./command.js";
import { commands } from "./commands/commands.js";
import { explainUsage, seeHelp, unexpected, usageError } from "./explain-usage.js";
import { groupHelpText, helpText } from "./help.js";
import { suggest } from "./suggest.js";

export type ParsedCommand =
  | { readonly kind: "run"; readonly command: Command; readonly values: Values }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "wrong"; readonly command: Command; readonly problems: readonly Diagnostic[] };

type YargsValues = Readonly<Record<string, unknown>> & { readonly _: readonly (string | number)[] };

/** Parses a command line without printing or exiting. */
export async function parse(line: readonly string[], width: number): Promise<ParsedCommand> {
  const { args, rest } = splitRest(joinName(line));
  const text = requestedText(args, width);
  if (text !== undefined) return { kind: "text", text };
  const members = membersOf(args[0]);
  if (members.length > 0) {
    const names = members.map(({ name }) => name).join(", ");
    const [group, member] = args;
    const wrong = member === undefined || member.startsWith("-") ? undefined : `${group} ${member}`;
    const meant =
      wrong &&
      suggest(
        wrong,
        members.map(({ name }) => name),
      );
    const message = wrong
      ? `There is no command ${JSON.stringify(wrong)}.`
      : `"${group}" needs a subcommand.`;
    const problem = usageError(message, meant ?? `The subcommands are: ${names}.`);
    return { kind: "wrong", command: members[0]!, problems: [problem] };
  }
  let parsed: ParsedCommand | undefined;
  const parser = (await createParser()).fail((message, error) => {
    const command = commandNamed(args[0]) ?? commands[0]!;
    const problems = explainUsage({ message: message || error.message, args, command, commands });
    parsed ??= { kind: "wrong", command, problems };
    throw error ?? new Error(message);
  });
  for (const command of commands) {
    register(parser, command, (values) => {
      const problems = checkValues(command, values);
      parsed =
        problems.length > 0
          ? { kind: "wrong", command, problems }
          : { kind: "run", command, values: new Values({ ...values, ...rest }) };
    });
  }
  try {
    const [name, ...others] = args;
    const command = commandNamed(name);
    await parser.parseAsync(command ? [keyOf(command), ...others] : [...args]);
  } catch (error) {
    if (parsed === undefined) throw error;
  }
  return parsed!;
}

function commandNamed(name: string | undefined): Command | undefined {
  return commands.find((command) => command.name === name);
}

function membersOf(word: string | undefined): readonly Command[] {
  return commands.filter(({ name }) => name.startsWith(`${word} `));
}

function isHelp(word: string | undefined): boolean {
  return word === "help" || word === "--help" || word === "-h";
}

/** Joins the two words of a command's name into one argument, even after `help`. */
function joinName(args: readonly string[]): readonly string[] {
  const at = isHelp(args[0]) ? 1 : 0;
  const name = `${args[at]} ${args[at + 1]}`;
  return commandNamed(name) ? args.toSpliced(at, 2, name) : args;
}

/**
 * Separates the arguments after `--` if the command accepts them, so that a `--help` among them is not taken for an
 * option of this program.
 */
function splitRest(args: readonly string[]): {
  readonly args: readonly string[];
  readonly rest: Readonly<Record<string, readonly string[]>>;
} {
  const { rest } = commandNamed(args[0]) ?? {};
  const at = args.indexOf("--");
  if (rest === undefined || at === -1) return { args, rest: {} };
  return { args: args.slice(0, at), rest: { [rest]: args.slice(at + 1) } };
}

/** Returns the text for `--help` or `--version`, neither of which requires a complete command line. */
function requestedText(args: readonly string[], width: number): string | undefined {
  const [first, second] = args;
  if (args.some((arg) => arg === "--version" || arg === "-v")) return packageVersion();
  if (!isHelp(first) && !args.some((arg) => arg === "--help" || arg === "-h")) return undefined;
  const word = isHelp(first) ? second : first;
  const members = membersOf(word);
  if (members.length > 0) return groupHelpText(word!, members, width);
  return helpText(commandNamed(word) ?? commands[0]!, commands, width);
}

async function createParser(): Promise<Argv> {
  const { default: yargs } = await import("yargs");
  return yargs()
    .locale("en")
    .scriptName("mcp-codegen")
    .parserConfiguration({
      "boolean-negation": false,
      "camel-case-expansion": false,
      "dot-notation": false,
      "parse-numbers": false,
      "parse-positional-numbers": false,
    })
    .option("json", { type: "boolean" })
    .strict()
    .help(false)
    .version(false)
    .exitProcess(false);
}

function register(parser: Argv, command: Command, choose: (values: YargsValues) => void): void {
  // yargs would treat a separate second word of the name as a positional argument.
  const usage = [keyOf(command), command.parameters].filter(Boolean).join(" ");
  parser.command(
    command === commands[0] ? ["$0", usage] : usage,
    command.description,
    (builder) => {
      for (const [name, positional] of Object.entries(command.positionals ?? {})) {
        builder.positional(name, positional);
      }
      builder.options(command.options);
    },
    choose,
  );
}

function keyOf({ name }: Command): string {
  return name.replaceAll(" ", "-");
}

/** Rejects values that yargs accepts but the command cannot use. */
function checkValues(command: Command, values: YargsValues): Diagnostic[] {
  const problems = values._.slice(values._[0] === keyOf(command) ? 1 : 0).map((extra) =>
    unexpected(String(extra), command),
  );
  for (const [name, option] of Object.entries(command.options)) {
    const value = values[name];
    if (Array.isArray(value) && option.array !== true) {
      problems.push(usageError(`--${name} may be used only once.`, "Leave out the others."));
    } else if (value === "" && option.mayLackValue !== true) {
      problems.push(usageError(`--${name} is empty.`, "Pass a value, or leave it out."));
    } else if (Number.isNaN(value)) {
      const example = option.default ?? (option.value === "port" ? 3000 : undefined);
      const hint = example === undefined ? seeHelp(command) : `For example: --${name} ${example}`;
      problems.push(usageError(`--${name} needs a number.`, hint));
    } else if (option.limits !== undefined && typeof value === "number") {
      const { above, atMost } = option.limits;
      if (value > above && value <= atMost) continue;
      const range = `more than ${above} and at most ${atMost} ${option.value ?? ""}`.trimEnd();
      problems.push(usageError(`--${name} must be ${range}.`, seeHelp(command)));
    }
  }
  return problems;
}
