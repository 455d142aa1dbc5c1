/** The arguments of the command that regenerates a package, which file headers show. */
export interface Invocation {
  /** All arguments, which replace the derived ones, for example if a configuration file is used. */
  readonly words?: readonly string[];
  /** The path of the schema. Default: its file name. */
  readonly schema?: string;
  /** The arguments to append to the derived command, such as `["--out", "src/mcp"]`. */
  readonly options?: readonly string[];
}

export function commandLine(own: readonly string[], { words, options = [] }: Invocation): string {
  return ["npx", "mcp-codegen", ...(words ?? [...own, ...options])].map(shellWord).join(" ");
}

/** Returns an option with its value, which may begin with a dash. */
export function optionWords(name: string, value: string | undefined): readonly string[] {
  if (value === undefined) return [];
  return value.startsWith("-") ? [`--${name}=${value}`] : [`--${name}`, value];
}

const PLAIN = /^[\w@%+=:,./-]+$/;
const PRINTABLE = /^[\x20-\x7e]*$/;

/** Quotes an argument that a shell would interpret. The result cannot end a comment. */
function shellWord(word: string): string {
  if (PLAIN.test(word)) return word;
  if (PRINTABLE.test(word) && !word.includes("*/")) return `'${word.replaceAll("'", "'\\''")}'`;
  return `$'${word.replace(/[^\w@%+=:,./ -]|\*/gu, escaped)}'`;
}

function escaped(character: string): string {
  const point = character.codePointAt(0)!;
  return point > 0xffff
    ? `\\U${point.toString(16).padStart(8, "0")}`
    : `\\u${point.toString(16).padStart(4, "0")}`;
}
