import { parseYaml } from "./yaml.js";

/** Frontmatter of a `SKILL.md` as JSON (Agent Skills: frontmatter). */
export interface Frontmatter {
  readonly name: string;
  readonly description: string;
  readonly [field: string]: unknown;
}

const FENCED = /^---[ \t]*\r?\n([\s\S]*?)(?:^|\r?\n)---[ \t]*(?:\r?\n|$)/;

/**
 * Frontmatter at the beginning of a `SKILL.md`.
 * @throws SyntaxError when there is none, when it is not in the part of YAML that is read, and without name or description
 */
export function parseFrontmatter(text: string): Frontmatter {
  const block = FENCED.exec(text)?.[1];
  if (block === undefined) {
    throw new SyntaxError("SKILL.md must begin with frontmatter between two lines `---`");
  }
  const fields = parseYaml(block);
  for (const field of ["name", "description"]) {
    const value = fields[field];
    if (typeof value === "string" && value !== "") continue;
    throw new SyntaxError(`the frontmatter needs a text as \`${field}\``);
  }
  return fields as unknown as Frontmatter;
}
