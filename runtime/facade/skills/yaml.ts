/** One line that is neither empty nor a comment. */
interface Line {
  readonly indent: number;
  readonly text: string;
  /** Index among all lines. */
  readonly at: number;
}

type Mapping = Record<string, unknown>;

/** Most levels of mappings and lists. */
const MAX_LEVELS = 32;

/**
 * Reads what frontmatter is written in: block mappings and lists, lists in brackets, plain, quoted and block scalars of YAML 1.2
 * with its core types. All else is refused: anchors, tags, mappings in braces, several documents.
 *
 * @throws SyntaxError with the line for what is not read
 */
export function parseYaml(text: string): Mapping {
  return new YamlReader(text.split(/\r?\n/)).document();
}

class YamlReader {
  readonly #all: readonly string[];
  readonly #lines: readonly Line[];
  #next = 0;
  #levels = 0;

  constructor(all: readonly string[]) {
    this.#all = all;
    this.#lines = all.flatMap((line, at) => {
      const content = line.trimStart();
      if (content === "" || content.startsWith("#")) return [];
      return [{ indent: line.length - content.length, text: content.trimEnd(), at }];
    });
  }

  document(): Mapping {
    const first = this.#peek();
    if (!first) return {};
    const read = this.#block(first.indent);
    const left = this.#peek();
    if (left) throw problem(left, "it is indented less than what is before");
    if (!isMapping(read)) throw problem(first, "frontmatter is a mapping");
    return read;
  }

  #peek(): Line | undefined {
    return this.#lines[this.#next];
  }

  #block(indent: number): unknown {
    const line = this.#peek()!;
    if (++this.#levels > MAX_LEVELS) throw problem(line, `it has more than ${MAX_LEVELS} levels`);
    const read = isItem(line) ? this.#list(indent) : this.#mapping(indent);
    this.#levels--;
    return read;
  }

  #mapping(indent: number): Mapping {
    const entries = new Map<string, unknown>();
    for (let line = this.#peek(); line && line.indent >= indent; line = this.#peek()) {
      if (line.indent > indent) throw problem(line, "it is indented more than its neighbours");
      if (isItem(line)) break;
      const { key, rest } = keyOf(line);
      if (entries.has(key)) throw problem(line, `\`${key}\` is there twice`);
      this.#next++;
      entries.set(key, this.#value(line, rest, indent));
    }
    return Object.fromEntries(entries);
  }

  #list(indent: number): unknown[] {
    const items: unknown[] = [];
    for (let line = this.#peek(); line && isItem(line); line = this.#peek()) {
      if (line.indent < indent) break;
      if (line.indent > indent) throw problem(line, "it is indented more than its neighbours");
      const rest = line.text.slice(1).trimStart();
      if (/^(?:[\w-]+|"[^"]*"|'[^']*'):(?:\s|$)/.test(rest) || isItem({ text: rest })) {
        throw problem(line, "items of a list are scalars here");
      }
      this.#next++;
      items.push(this.#value(line, rest, indent));
    }
    return items;
  }

  /** Value after a key or a dash: on the line, or on the lines below that are indented more. */
  #value(line: Line, text: string, indent: number): unknown {
    const header = /^([|>])([-+]?)(?:\s+#.*)?$/.exec(text);
    if (header) return this.#blockScalar(indent, header[1] === ">", header[2]!);
    const below = this.#peek();
    if (text === "" || text.startsWith("#")) {
      const isNested =
        below &&
        (below.indent > indent || (below.indent === indent && isItem(below) && !isItem(line)));
      return isNested ? this.#block(below.indent) : null;
    }
    let whole = text;
    for (let next = this.#peek(); next && next.indent > indent; next = this.#peek()) {
      if (
        next.at > line.at + 1 &&
        this.#all.slice(line.at + 1, next.at).some((one) => one.trim() === "")
      ) {
        throw problem(next, "a scalar over several paragraphs needs `|` or `>`");
      }
      whole += ` ${next.text}`;
      this.#next++;
    }
    return scalar(whole, line);
  }

  #blockScalar(indent: number, isFolded: boolean, chomping: string): string {
    const start = this.#lines[this.#next - 1]!.at + 1;
    let end = start;
    while (
      end < this.#all.length &&
      (this.#all[end]!.trim() === "" || indentOf(this.#all[end]!) > indent)
    )
      end++;
    while (this.#peek() && this.#peek()!.at < end) this.#next++;
    const lines = this.#all.slice(start, end);
    const margin = Math.min(...lines.filter((one) => one.trim() !== "").map(indentOf));
    const content = lines.map((one) => (one.trim() === "" ? "" : one.slice(margin)));
    let last = content.length;
    while (last > 0 && content[last - 1] === "") last--;
    const kept = content.slice(0, last);
    const text = isFolded ? folded(kept) : kept.join("\n");
    if (chomping === "-" || (text === "" && chomping === "")) return text;
    return text + (chomping === "+" ? "\n".repeat(content.length - last + 1) : "\n");
  }
}

/** Joins lines by spaces; empty lines are line breaks, and so are those around indented ones. */
function folded(lines: readonly string[]): string {
  let text = "";
  lines.forEach((line, index) => {
    const before = lines[index - 1];
    if (index === 0) text = line;
    else if (line === "") text += "\n";
    else if (isPlain(line) && isPlain(before)) text += ` ${line}`;
    else text += before === "" && isPlain(line) ? line : `\n${line}`;
  });
  return text;
}

function isPlain(line: string | undefined): boolean {
  return line !== undefined && /^\S/.test(line);
}

function keyOf(line: Line): { readonly key: string; readonly rest: string } {
  const found =
    /^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s"'#&*!|>%@`?{}[\],:-](?:[^:]|:(?=\S))*?)\s*:(?:\s+(.*))?$/.exec(
      line.text,
    );
  if (!found) throw problem(line, "it is no `key: value`");
  const key = scalar(found[1]!, line);
  return { key: String(key), rest: found[2] ?? "" };
}

function scalar(text: string, line: Line): unknown {
  if (text.startsWith("[")) return bracketed(text, line);
  const quoted = /^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')(?:\s+#.*)?$/s.exec(text)?.[1];
  if (quoted?.startsWith("'")) return quoted.slice(1, -1).replaceAll("''", "'");
  if (quoted !== undefined) return doubleQuoted(quoted, line);
  if (/^["'&*!|>%@`{}\],]/.test(text) || /^[-?:](?:\s|$)/.test(text)) {
    throw problem(
      line,
      `\`${text.slice(0, 20)}\` is YAML that is not read here; put it in quotes if it is a text`,
    );
  }
  const plain = text.replace(/\s+#.*$/, "");
  if (/:(?:\s|$)/.test(plain)) throw problem(line, "a text with `: ` in it needs quotes");
  return typed(plain);
}

function bracketed(text: string, line: Line): unknown[] {
  const inside = /^\[(.*)\](?:\s+#.*)?$/.exec(text)?.[1];
  if (
    inside === undefined ||
    /[[\]{}]/.test(inside.replace(/"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'/g, ""))
  ) {
    throw problem(line, "a list in brackets has scalars only, and its end");
  }
  const items = inside.match(/"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^,\s](?:[^,]*[^,\s])?/g) ?? [];
  return items.map((item) => scalar(item, line));
}

function doubleQuoted(text: string, line: Line): string {
  try {
    return JSON.parse(text) as string;
  } catch {
    throw problem(line, "an escape in the quotes is not one of JSON");
  }
}

/** Types of YAML's core schema that JSON has. */
function typed(text: string): unknown {
  if (/^(?:~|null|Null|NULL)$/.test(text)) return null;
  if (/^(?:true|True|TRUE)$/.test(text)) return true;
  if (/^(?:false|False|FALSE)$/.test(text)) return false;
  if (/^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/.test(text)) return Number(text);
  if (/^0x[\da-fA-F]+$|^0o[0-7]+$/.test(text)) return Number(text);
  return text;
}

function isItem({ text }: { readonly text: string }): boolean {
  return text === "-" || text.startsWith("- ");
}

function isMapping(value: unknown): value is Mapping {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function problem({ at }: Pick<Line, "at">, text: string): SyntaxError {
  return new SyntaxError(`line ${at + 2} of the frontmatter: ${text}`);
}
