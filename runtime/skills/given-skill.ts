import {
  assertEntry,
  assertFields,
  digestOf,
  frontmatterOf,
  type SkillEntry,
  SkillError,
  textOf,
} from "./skill.js";

/** Skill to serve. */
export interface GivenSkill {
  /**
   * The path in the URI, such as `git-workflow`, or with a prefix `acme/billing/refunds`. The last segment is the
   * skill's name.
   */
  readonly path: string;
  /** Maps paths within the skill, such as `SKILL.md` or `references/FORMS.md`, to the contents of the files. */
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  /** False to serve the skill without listing it. Default: true. */
  readonly listed?: boolean;
}

export interface ServedFile {
  readonly uri: string;
  /** The path within the skill. */
  readonly path: string;
  readonly bytes: Uint8Array;
  /** The content as text, or undefined if it is binary. */
  readonly text: string | undefined;
  readonly mimeType: string;
}

export interface ServedSkill {
  readonly entry: SkillEntry;
  readonly files: readonly ServedFile[];
  readonly listed: boolean;
}

/** @throws SkillError if hosts would reject the skill */
export async function servedSkill({
  path,
  files,
  listed = true,
}: GivenSkill): Promise<ServedSkill> {
  const folder = `skill://${path}`;
  if (!/^[^\s/?#%\\]+(?:\/[^\s/?#%\\]+)*$/.test(path)) {
    throw new SkillError(path, "the path of a skill must not have empty segments");
  }
  const served = Object.entries(files).map(([name, content]) => fileOf(folder, name, content));
  const uri = `${folder}/SKILL.md`;
  const main = served.find((file) => file.uri === uri);
  if (main?.text === undefined) throw new SkillError(uri, "a skill must have a SKILL.md in UTF-8");
  const resources = await Promise.all(
    served.map(async ({ uri: of, bytes }) => ({
      uri: of,
      digest: await digestOf(bytes),
      size: bytes.length,
    })),
  );
  const entry = { uri, frontmatter: frontmatterOf(uri, main.text), resources };
  assertEntry(entry);
  assertFields(uri, entry.frontmatter);
  return { entry, files: served, listed };
}

function fileOf(folder: string, path: string, content: string | Uint8Array): ServedFile {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const uri = `${folder}/${path.split("/").map(encodeURIComponent).join("/")}`;
  // Text with a null character is treated as binary content.
  const text = bytes.includes(0) ? undefined : textOf(bytes);
  return { uri, path, bytes, text, mimeType: mimeTypeOf(path, text !== undefined) };
}

const MIME_TYPES: Readonly<Record<string, string>> = {
  css: "text/css",
  csv: "text/csv",
  gif: "image/gif",
  html: "text/html",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  js: "text/javascript",
  json: "application/json",
  md: "text/markdown",
  pdf: "application/pdf",
  png: "image/png",
  py: "text/x-python",
  sh: "application/x-sh",
  svg: "image/svg+xml",
  toml: "application/toml",
  txt: "text/plain",
  xml: "application/xml",
  yaml: "application/yaml",
  yml: "application/yaml",
};

function mimeTypeOf(path: string, isText: boolean): string {
  const ending = /\.([a-z\d]+)$/i.exec(path)?.[1]?.toLowerCase() ?? "";
  const known = Object.hasOwn(MIME_TYPES, ending) ? MIME_TYPES[ending] : undefined;
  return known ?? (isText ? "text/plain" : "application/octet-stream");
}

const DIRECTORY = "inode/directory";

/** A file or directory in a directory. */
export interface DirectoryChild {
  readonly uri: string;
  readonly name: string;
  readonly mimeType: string;
}

/** Returns each directory's children by the directory's URI, including directories above skills. */
export function directoriesOf(
  files: Iterable<ServedFile>,
): ReadonlyMap<string, ReadonlyMap<string, DirectoryChild>> {
  const directories = new Map<string, Map<string, DirectoryChild>>();
  const put = (uri: string, mimeType: string): void => {
    const end = uri.lastIndexOf("/");
    const parent = uri.slice(0, end);
    if (parent.endsWith("/")) return;
    let children = directories.get(parent);
    if (!children) {
      directories.set(parent, (children = new Map()));
      put(parent, DIRECTORY);
    }
    const name = decodeURIComponent(uri.slice(end + 1));
    if (!children.has(uri)) children.set(uri, { uri, name, mimeType });
  };
  for (const { uri, mimeType } of files) put(uri, mimeType);
  return directories;
}
