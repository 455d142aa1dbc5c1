import { invalidParams } from "../../engine/index.js";
import type { Freshness } from "../../api/index.js";
import { Cursors } from "../../features/index.js";
import { quote } from "../../wire/index.js";
import type { DescribedExtension } from "../server/extension-types.js";
import { directoriesOf } from "./directories.js";
import { type GivenSkill, type ServedFile, servedSkill } from "./given-skill.js";
import { SkillError } from "./skill-error.js";

/** Operations of a server that skills need: an `McpServer` has them. */
export interface SkillsServer {
  registerExtension(extension: never, options: never): void;
  registerResource(name: string, uri: string, config: never, read: never): unknown;
}

export interface SkillsOptions {
  /** Freshness of entries, and of the files. Default: `{ ttlMs: 0, cacheScope: "private" }`. */
  readonly cacheHint?: Freshness | undefined;
  /** Skills, or entries of a directory, on a page. Default: 100. */
  readonly pageSize?: number | undefined;
  /** Makes the cursors between pages; give one with a key of your own when several instances answer. */
  readonly cursors?: Cursors | undefined;
}

interface Params {
  readonly uri: string;
  readonly cursor?: string;
}

/**
 * Serves skills: their files as resources, and the requests of the extension.
 *
 * @throws SkillError for a skill that hosts would refuse, and for two under one path; TypeError without a skill
 */
export async function registerSkills(
  extension: DescribedExtension,
  server: SkillsServer,
  given: readonly GivenSkill[],
  { cacheHint = {}, pageSize = 100, cursors = new Cursors() }: SkillsOptions = {},
): Promise<void> {
  const { ttlMs = 0, cacheScope = "private" } = cacheHint;
  if (!Number.isSafeInteger(ttlMs) || ttlMs < 0) {
    throw new TypeError("cacheHint: ttlMs is a whole number from 0 up");
  }
  if (given.length === 0) throw new TypeError("A server with skills needs one at least");
  const skills = await Promise.all(given.map(servedSkill));
  const entries = new Map(skills.map(({ entry }) => [entry.uri, entry]));
  if (entries.size < skills.length)
    throw new SkillError("skill://", "two skills have the same path");
  const files = filesOf(skills.flatMap((skill) => skill.files));
  const directories = directoriesOf(files.values());
  const listed = skills.filter((skill) => skill.listed).map(({ entry }) => entry);
  const freshness = { ttlMs, cacheScope };
  const [list, get, directory] = methodsOf(extension);
  const handlers = {
    [list]: async (params: Partial<Params> = {}) => {
      const request = { list, items: listed, keyOf, pageSize, cursor: params.cursor };
      const { items, ...page } = await cursors.paginate(request);
      return { skills: items, ...page, ...freshness };
    },
    [get]: ({ uri }: Params) => {
      const skill = entries.get(uri);
      if (!skill) throw invalidParams(`No skill is served at ${quote(uri)}`);
      return { skill, ...freshness };
    },
    [directory]: async ({ uri, cursor }: Params) => {
      const children = directories.get(uri);
      if (!children) throw invalidParams(`${quote(uri)} is no directory`);
      const request = {
        list: `${directory} ${uri}`,
        items: [...children.values()],
        keyOf,
        pageSize,
        cursor,
      };
      const { items, ...page } = await cursors.paginate(request);
      // Not demanded of directories, but by clients of the official SDK.
      return { resources: items, ...page, ...freshness };
    },
  };
  server.registerExtension(
    extension as never,
    { settings: { directoryRead: true }, handlers } as never,
  );
  for (const { uri, path, mimeType, text, bytes } of files.values()) {
    const skill = entries.get(uri)?.frontmatter;
    const described = skill ? { description: skill.description } : {};
    const name = skill?.name ?? path;
    server.registerResource(
      name,
      uri,
      { mimeType, cacheHint, ...described } as never,
      (() => text ?? bytes) as never,
    );
  }
}

function keyOf({ uri }: { readonly uri: string }): string {
  return uri;
}

/** The requests of the extension by what they are for: a list, one of it, and a directory. */
function methodsOf({ requests = {} }: DescribedExtension): [string, string, string] {
  const [list, get, directory] = Object.keys(requests);
  return [list!, get!, directory!];
}

/** Files of nested skills are files of the skill around them, too. */
function filesOf(all: readonly ServedFile[]): ReadonlyMap<string, ServedFile> {
  const files = new Map<string, ServedFile>();
  for (const file of all) {
    const known = files.get(file.uri);
    if (known && !isSame(known.bytes, file.bytes)) {
      throw new SkillError(file.uri, "two skills have other contents for it");
    }
    files.set(file.uri, file);
  }
  return files;
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}
