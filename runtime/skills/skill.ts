import { isObject } from "../codegen.js";
import { type Frontmatter, parseFrontmatter } from "./frontmatter.js";

/** A skill's file, as listed by a server. */
export interface SkillResource {
  readonly uri: string;
  /** The digest: `sha256:` followed by 64 hex digits. */
  readonly digest: string;
  /** Size in bytes. */
  readonly size: number;
}

/** A skill, as listed by a server. */
export interface SkillEntry {
  /** The URI of the skill's `SKILL.md`. */
  readonly uri: string;
  readonly frontmatter: Frontmatter;
  /** All files, or `dynamic` if the content changes and therefore has no digests. */
  readonly resources: readonly SkillResource[] | "dynamic";
}

/** An error about a skill or a message that describes one. The message states what is wrong and where. */
export class SkillError extends Error {
  override readonly name: string = "SkillError";
  /** The URI or path where the problem is. */
  readonly place: string;

  constructor(place: string, problem: string) {
    super(`${place}: ${problem}`);
    this.place = place;
  }
}

/** The maximum number of files in a skill, including `SKILL.md`, that every host accepts. */
export const MAX_SKILL_FILES = 512;
/** The maximum total size of a skill's files that every host accepts, in bytes: 16 MiB. */
export const MAX_SKILL_BYTES: number = 16 * 1024 * 1024;

const SKILL_FILE = "/SKILL.md";
const NAME = /^[a-z\d]+(?:-[a-z\d]+)*$/;
const MAX_NAME = 64;
/** The maximum length of frontmatter fields, in characters (Agent Skills: frontmatter). */
const MAX_TEXT: Readonly<Record<string, number>> = { description: 1024, compatibility: 500 };

export async function digestOf(bytes: Uint8Array): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>);
  const hex = Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0"));
  return `sha256:${hex.join("")}`;
}

/**
 * Decodes UTF-8, or returns undefined if the bytes are not UTF-8. A byte order mark is kept, so that encoding the text
 * yields the same bytes.
 */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

export function folderOf(uri: string): string {
  return uri.slice(0, -SKILL_FILE.length);
}

export function frontmatterOf(uri: string, text: string): Frontmatter {
  try {
    return parseFrontmatter(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw new SkillError(uri, error.message);
    throw error;
  }
}

export function assertEntry({ uri, frontmatter, resources }: SkillEntry): void {
  const { name } = frontmatter;
  const folder = folderOf(uri);
  if (!uri.endsWith(SKILL_FILE))
    throw new SkillError(uri, "the URI of a skill must end in /SKILL.md");
  if (!NAME.test(name) || name.length > MAX_NAME) {
    throw new SkillError(
      uri,
      `the name ${JSON.stringify(name)} must have at most ${MAX_NAME} characters of a-z, 0-9 and single dashes`,
    );
  }
  if (!folder.endsWith(`/${name}`)) {
    throw new SkillError(
      uri,
      `the folder must have the name of the skill, ${JSON.stringify(name)}`,
    );
  }
  if (resources === "dynamic") return;
  if (resources.length > MAX_SKILL_FILES) {
    throw new SkillError(
      uri,
      `it has ${resources.length} files; a skill may have at most ${MAX_SKILL_FILES}`,
    );
  }
  const bytes = resources.reduce((sum, { size }) => sum + size, 0);
  if (bytes > MAX_SKILL_BYTES) {
    throw new SkillError(uri, `it has ${bytes} bytes; a skill may have at most ${MAX_SKILL_BYTES}`);
  }
  const uris = new Set(resources.map((file) => file.uri));
  if (uris.size < resources.length) throw new SkillError(uri, "a file is listed twice");
  if (!uris.has(uri)) throw new SkillError(uri, "SKILL.md is not among its files");
  const outside = resources.find((file) => !isBelow(file.uri, folder));
  if (outside)
    throw new SkillError(outside.uri, `it must be in the folder of the skill, ${folder}`);
}

/** Throws if a frontmatter field is invalid, because hosts reject such skills. */
export function assertFields(uri: string, frontmatter: Frontmatter): void {
  for (const field of ["description", "license", "compatibility", "allowed-tools"]) {
    const value = frontmatter[field];
    const limit = MAX_TEXT[field] ?? Infinity;
    if (value === undefined || (typeof value === "string" && value.length <= limit)) continue;
    const size = limit === Infinity ? "" : ` of at most ${limit} characters`;
    throw new SkillError(uri, `\`${field}\` of the frontmatter must be a string${size}`);
  }
  const { metadata = {} } = frontmatter;
  const values = isObject(metadata) ? Object.values(metadata) : [metadata];
  if (values.every((value) => typeof value === "string")) return;
  throw new SkillError(
    uri,
    "`metadata` of the frontmatter must have strings only: put numbers in quotes",
  );
}

function isBelow(uri: string, folder: string): boolean {
  const path = uri.startsWith(`${folder}/`) ? uri.slice(folder.length + 1) : "";
  return (
    path !== "" && path.split("/").every((part) => part !== "" && part !== "." && part !== "..")
  );
}
