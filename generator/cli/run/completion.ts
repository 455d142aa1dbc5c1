import { basename } from "node:path";
import { bundledRevisions } from "../../bundled/bundled.js";
import type { Diagnostics } from "../../diagnostics.js";
import type { Command, CommandOption, Completed, Values } from "../command.js";
import { usageError } from "../explain-usage.js";
import type { Outcome } from "../outcome.js";

interface Completion {
  /** The command's name, which has one or two words; empty for the command line as a whole. */
  readonly command: string;
  readonly words: readonly string[];
  readonly options: readonly CompletedOption[];
}

interface CompletedOption {
  readonly name: string;
  readonly description: string;
  /** The values to choose from; empty if any file or string is valid, undefined for a flag. */
  readonly values: readonly string[] | undefined;
}

const SCRIPTS: Readonly<Record<string, (completions: readonly Completion[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/**
 * Returns a shell's completion script. The script contains all words, so that no process is started to complete one.
 */
export function runCompletion(
  values: Values,
  commands: readonly Command[],
  diagnostics: Diagnostics,
): Outcome | undefined {
  const shell = values.text("shell") ?? basename(process.env["SHELL"] ?? "").replace(/\.exe$/, "");
  const script = SCRIPTS[shell]?.(completionsOf(commands));
  if (script !== undefined) return { data: { shell, script }, lines: [script.trimEnd()] };
  const message = shell
    ? `There is no completion for the shell ${JSON.stringify(shell)}.`
    : "The shell is not known, because $SHELL is not set.";
  diagnostics.add(usageError(message, "Name one: mcp-codegen completion bash, zsh or fish."));
  return undefined;
}

function completionsOf(commands: readonly Command[]): readonly Completion[] {
  const revisions = bundledRevisions().map(({ revision }) => revision);
  const valuesOf = ({ completes, choices }: Completed & { choices?: CommandOption["choices"] }) =>
    completes === "revisions" ? revisions : (choices ?? []).map(String);
  const own = commands.map(({ name, positionals = {}, options }): Completion => ({
    command: name,
    words: Object.values(positionals).flatMap(valuesOf),
    options: [...Object.entries(options), ...GENERAL].map(([option, declaration]) => ({
      name: option,
      description: declaration.description ?? "",
      values: declaration.type === "boolean" ? undefined : valuesOf(declaration),
    })),
  }));
  const names = commands.map(({ name }) => name.split(" "));
  const groups = [...new Set(names.flatMap(([group, member]) => (member ? [group!] : [])))];
  return [
    { command: "", words: unique(names.map(([word]) => word!)), options: own[0]!.options },
    ...groups.map((group) => ({
      command: group,
      words: names.flatMap(([word, member]) => (word === group && member ? [member] : [])),
      options: [],
    })),
    ...own,
  ].map((completion) => ({ ...completion, words: unique(completion.words) }));
}

const GENERAL: readonly (readonly [string, CommandOption])[] = [
  ["json", { type: "boolean", description: "Print one JSON document" }],
  ["help", { type: "boolean", description: "Show the help" }],
];

const unique = (words: readonly string[]): readonly string[] => [...new Set(words)];

/** Returns the script for bash 3.2, which has no associative arrays. It also works with bashcompinit in zsh. */
function bashScript(completions: readonly Completion[]): string {
  const words = completions.map(({ command, words: shown, options }) => {
    const flags = options.map(({ name }) => `--${name}`).join(" ");
    return `    "${command}") words="${shown.join(" ")}" options="${flags}" ;;`;
  });
  const places = new Map<string, string[]>();
  for (const { command, options } of completions) {
    for (const { name, values } of options) {
      const place = `"${command} --${name}"`;
      if (values) places.set(values.join(" "), [...(places.get(values.join(" ")) ?? []), place]);
    }
  }
  const values = [...places].map(([shown, at]) => `    ${at.join("|")}) words="${shown}" ;;`);
  return `# Completion of mcp-codegen for bash.
_mcp_codegen() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local command="" words="" options=""
  [ "$previous" = "=" ] && previous="\${COMP_WORDS[COMP_CWORD-2]}"
  [ "$current" = "=" ] && current=""
  COMPREPLY=()
  case " \${COMP_WORDS[*]:1:$((COMP_CWORD - 1))} " in *" -- "*) return ;; esac
  [ "$COMP_CWORD" -gt 1 ] && command="\${COMP_WORDS[1]}"
  case "$command" in -*) command="generate" ;; esac
  case "\${COMP_WORDS[2]}" in -*) ;; *)
    case " ${groupsOf(completions).join(" ")} " in *" $command "*)
      [ "$COMP_CWORD" -gt 2 ] && command="$command \${COMP_WORDS[2]}" ;;
    esac ;;
  esac
  case "$command" in
${words.join("\n")}
  esac
  case "$command $previous" in
${values.join("\n")}
    *) case "$current" in -*) words="$options" ;; esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _mcp_codegen mcp-codegen
`;
}

function groupsOf(completions: readonly Completion[]): readonly string[] {
  return unique(completions.flatMap(({ command }) => /^(\S+) /.exec(command)?.[1] ?? []));
}

function zshScript(completions: readonly Completion[]): string {
  return `# Completion of mcp-codegen for zsh.
autoload -Uz +X compinit bashcompinit
(( \${+functions[compdef]} )) || compinit
bashcompinit
${bashScript(completions).replace(/^#.*\n/, "")}`;
}

function fishScript(completions: readonly Completion[]): string {
  const lines = completions.flatMap(({ command, words, options }) => {
    const start = `complete -c mcp-codegen -n '__mcp_codegen_behind ${command}'`;
    const isWord =
      command === "" || completions.some((one) => one.command === `${command} ${words[0]}`);
    return [
      ...(words.length > 0 ? [`${start} ${isWord ? "-f " : ""}-a '${words.join(" ")}'`] : []),
      ...options.map(({ name, description, values }) => {
        const value =
          values === undefined ? "" : values.length === 0 ? " -r" : ` -x -a '${values.join(" ")}'`;
        return `${start} -l ${name} -d ${fishText(description)}${value}`;
      }),
    ];
  });
  return `# Completion of mcp-codegen for fish.
function __mcp_codegen_behind
  set -l words (commandline -opc)[2..-1]
  contains -- -- $words; and return 1
  set -l last (count $argv)
  if test $last -eq 0
    test (count $words) -eq 0
  else if test "$argv" = generate; and string match -qr -- '^-' "$words[1]"
    true
  else
    test (count $words) -ge $last; and test "$words[1..$last]" = "$argv"
  end
end
${lines.join("\n")}
`;
}

/** Quotes the first part of a description for fish, so that the text fits beside its option. */
function fishText(text: string): string {
  const [sentence = ""] = text.split(/[;:(]/);
  return `'${sentence.trim().replace(/[\\']/g, "\\$&")}'`;
}
