import { type CST, Parser, parseDocument } from "yaml";

/** The frontmatter of a `SKILL.md` as JSON (Agent Skills: frontmatter). */
export interface Frontmatter {
  readonly name: string;
  readonly description: string;
  readonly [field: string]: unknown;
}

/**
 * The maximum length of frontmatter, in characters. Hosts add frontmatter to a model's context, so it is short in
 * practice.
 */
const MAX_CHARACTERS = 16_384;

/** The maximum nesting depth of mappings and lists. Deeper nesting would exhaust the YAML parser's stack. */
const MAX_LEVELS = 32;

/**
 * Parses the frontmatter at the beginning of a `SKILL.md`: YAML 1.2 with the types of its core schema. Aliases and
 * other tags are not allowed.
 *
 * @throws SyntaxError if the frontmatter is missing, is invalid, is longer than 16,384 characters or deeper than 32
 *   levels, or has no name or description
 */
export function parseFrontmatter(text: string): Frontmatter {
  const fields = parseMapping(blockOf(text));
  for (const field of ["name", "description"]) {
    const value = fields[field];
    if (typeof value === "string" && value !== "") continue;
    throw new SyntaxError(`\`${field}\` of the frontmatter must be a string`);
  }
  return fields as unknown as Frontmatter;
}

function blockOf(text: string): string {
  const [, opening] = /^(---[ \t]*\r?\n)/.exec(text) ?? [];
  // Only as much text as the limit allows is searched for the closing `---`.
  const start = text.slice(opening?.length, (opening?.length ?? 0) + MAX_CHARACTERS + 6);
  const end = /^---[ \t]*\r?$/m.exec(start)?.index;
  if (opening !== undefined && end !== undefined && end <= MAX_CHARACTERS)
    return start.slice(0, end);
  throw new SyntaxError(
    opening !== undefined && text.length - opening.length > MAX_CHARACTERS
      ? `frontmatter must have at most ${MAX_CHARACTERS} characters`
      : "SKILL.md must begin with frontmatter between two lines `---`",
  );
}

function parseMapping(block: string): Readonly<Record<string, unknown>> {
  for (const token of new Parser().parse(block)) assertIsFlat(token);
  const document = parseDocument(block, {
    schema: "core",
    resolveKnownTags: false,
    stringKeys: true,
    prettyErrors: false,
  });
  const [problem] = [...document.errors, ...document.warnings];
  if (problem) throw problemAt(block, problem.pos[0], problem.message);
  let read: unknown;
  try {
    read = document.toJS({ maxAliasCount: 0, reviver: jsonOnly }) ?? {};
  } catch (error) {
    throw new SyntaxError(`the frontmatter: ${(error as Error).message}`, { cause: error });
  }
  if (typeof read !== "object" || read === null || Array.isArray(read)) {
    throw problemAt(block, 0, "frontmatter must be a mapping, `key: value`");
  }
  return read as Record<string, unknown>;
}

/**
 * Throws if the nesting is deeper than the limit. The YAML parser is recursive, so deeper nesting would exhaust the
 * stack.
 */
function assertIsFlat(root: CST.Token): void {
  const open: (readonly [token: CST.Token, level: number])[] = [[root, 0]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [token, level] = next;
    if (level > MAX_LEVELS) {
      throw new SyntaxError(`frontmatter must have at most ${MAX_LEVELS} levels`);
    }
    if (token.type === "document" && token.value) open.push([token.value, level]);
    if (!("items" in token)) continue;
    for (const { key, value } of token.items) {
      if (key) open.push([key, level + 1]);
      if (value) open.push([value, level + 1]);
    }
  }
}

function jsonOnly(_key: unknown, value: unknown): unknown {
  if (typeof value !== "number" || Number.isFinite(value)) return value;
  throw new SyntaxError(`${value} is not a JSON number; put it in quotes if it is a string`);
}

/** Returns an error whose line number is relative to the beginning of the `SKILL.md`. */
function problemAt(block: string, position: number, message: string): SyntaxError {
  const line = block.slice(0, position).split("\n").length + 1;
  return new SyntaxError(`line ${line} of the frontmatter: ${message}`);
}
