import type { DescribedExtension } from "../facade/server/index.js";
import { Cursors } from "../features/index.js";
import { type Freshness, INVALID_PARAMS, RpcError } from "../index.js";
import { directoriesOf, type GivenSkill, type ServedFile, servedSkill } from "./given-skill.js";
import { SkillError } from "./skill.js";

/** The server methods that skills need. An `McpServer` has them. */
export interface SkillsServer {
  registerExtension(extension: DescribedExtension, options: ServedExtension): void;
  registerResource(
    name: string,
    uri: string,
    config: FileConfig,
    read: () => string | Uint8Array,
  ): unknown;
}

interface ServedExtension {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly handlers: object;
}

interface FileConfig {
  readonly mimeType?: string | undefined;
  readonly description?: string;
  readonly cacheHint?: Freshness | undefined;
}

export interface SkillsOptions {
  /** The time for which clients may cache entries and files. Default: `{ ttlMs: 0, cacheScope: "private" }`. */
  readonly cacheHint?: Freshness | undefined;
  /** The number of skills, or directory entries, per page. Default: 100. */
  readonly pageSize?: number | undefined;
  /**
   * Creates the cursors between pages. If several instances serve requests, pass each of them an object with the same
   * key. Default: an object with a random key.
   */
  readonly cursors?: Cursors | undefined;
}

interface Params {
  readonly uri: string;
  readonly cursor?: string;
}

/**
 * Serves skills, with their files as resources, and handles the extension's requests.
 *
 * @throws SkillError if hosts would reject a skill, or if two skills have the same path or different contents for a
 *   file
 * @throws TypeError if there is no skill, or if an option is invalid
 */
export async function registerSkills(
  extension: DescribedExtension,
  server: SkillsServer,
  sources: readonly GivenSkill[],
  { cacheHint = {}, pageSize = 100, cursors = new Cursors() }: SkillsOptions = {},
): Promise<void> {
  const { ttlMs = 0, cacheScope = "private" } = cacheHint;
  if (!Number.isSafeInteger(ttlMs) || ttlMs < 0) {
    throw new TypeError("cacheHint: ttlMs must be a whole number, 0 or more");
  }
  if (sources.length === 0) throw new TypeError("registerSkills needs at least one skill");
  const skills = await Promise.all(sources.map(servedSkill));
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
      if (!skill) throw invalidParams(`There is no skill at ${uri}`);
      return { skill, ...freshness };
    },
    [directory]: async ({ uri, cursor }: Params) => {
      const children = directories.get(uri);
      if (!children) throw invalidParams(`Not a directory: ${uri}`);
      const request = {
        list: `${directory} ${uri}`,
        items: [...children.values()],
        keyOf,
        pageSize,
        cursor,
      };
      const { items, ...page } = await cursors.paginate(request);
      // Directories do not need this member, but clients of the official SDK require it.
      return { resources: items, ...page, ...freshness };
    },
  };
  server.registerExtension(extension, { settings: { directoryRead: true }, handlers });
  for (const { uri, path, mimeType, text, bytes } of files.values()) {
    const skill = entries.get(uri)?.frontmatter;
    const described = skill ? { description: skill.description } : {};
    const name = skill?.name ?? path;
    server.registerResource(name, uri, { mimeType, cacheHint, ...described }, () => text ?? bytes);
  }
}

function invalidParams(problem: string): RpcError {
  // The requested URI may be a megabyte long.
  return new RpcError(INVALID_PARAMS, `Invalid params: ${problem.slice(0, 200)}`);
}

function keyOf({ uri }: { readonly uri: string }): string {
  return uri;
}

/** Returns the extension's methods in this order: list the skills, get one skill, list a directory. */
function methodsOf({ requests = {} }: DescribedExtension): [string, string, string] {
  const [list, get, directory] = Object.keys(requests);
  return [list!, get!, directory!];
}

/** Returns all files by URI. A nested skill's files also belong to the enclosing skill. */
function filesOf(all: readonly ServedFile[]): ReadonlyMap<string, ServedFile> {
  const files = new Map<string, ServedFile>();
  for (const file of all) {
    const known = files.get(file.uri);
    if (known && !isSame(known.bytes, file.bytes)) {
      throw new SkillError(file.uri, "two skills have different contents for it");
    }
    files.set(file.uri, file);
  }
  return files;
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}
