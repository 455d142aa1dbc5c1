import { isObject } from "../codegen.js";
import type { DescribedExtension } from "../facade/server/index.js";
import type { DirectoryChild } from "./given-skill.js";
import {
  assertEntry,
  digestOf,
  folderOf,
  frontmatterOf,
  MAX_SKILL_BYTES,
  type SkillEntry,
  SkillError,
  textOf,
} from "./skill.js";

/** The client methods that skills need. Clients returned by `connect` have them. */
export interface SkillsClient {
  readonly server: { readonly capabilities: object };
  // oxlint-disable-next-line typescript/no-explicit-any
  request(request: any, ...rest: any[]): Promise<any>;
}

/** A file of a skill, as read from the server. */
export interface SkillFile {
  readonly uri: string;
  readonly mimeType: string | undefined;
  readonly bytes: Uint8Array;
  /** The content as text, or undefined if it is not UTF-8. */
  readonly text: string | undefined;
}

export interface ReadSkillOptions {
  /** True to allow skills without digests, whose content cannot be verified. Default: false. */
  readonly allowDynamic?: boolean | undefined;
  /** Parses the frontmatter of a `SKILL.md`. Default: {@link parseFrontmatter}. */
  readonly parseFrontmatter?: ((text: string) => unknown) | undefined;
}

/**
 * The skills of a server. Their content is as untrusted as everything else that the server sends. The host decides
 * whether to approve a skill, and which actions it may cause (Skills: security considerations).
 */
export class ServedSkills {
  readonly #client: SkillsClient;
  readonly #methods: readonly string[];
  readonly #requests: NonNullable<DescribedExtension["requests"]>;
  /** True if the server supports {@link directory}. */
  readonly hasDirectories: boolean;

  /** @throws SkillError if the server has not declared the extension */
  constructor({ id, requests = {} }: DescribedExtension, client: SkillsClient) {
    const { extensions } = client.server.capabilities as { readonly extensions?: unknown };
    const settings =
      isObject(extensions) && Object.hasOwn(extensions, id) ? extensions[id] : undefined;
    if (!isObject(settings)) throw new SkillError(id, "the server has no skills");
    this.#client = client;
    this.#requests = requests;
    this.#methods = Object.keys(requests);
    this.hasDirectories = settings["directoryRead"] === true;
  }

  /**
   * Lists the server's skills without fetching files. The server may have skills that are not listed; see {@link get}.
   */
  async *list(): AsyncGenerator<SkillEntry, void, void> {
    yield* this.#pages<SkillEntry>(this.#methods[0]!, {}, "skills");
  }

  /**
   * Returns one skill by the URI of its `SKILL.md`, whether or not it is listed.
   *
   * @throws RpcError -32602 if the server has no such skill
   * @throws SkillError if the server returns another skill
   */
  async get(uri: string): Promise<SkillEntry> {
    const { skill } = (await this.#request(this.#methods[1]!, { uri })) as { skill: SkillEntry };
    if (skill.uri !== uri) throw new SkillError(uri, `the server returned ${skill.uri} instead`);
    return skill;
  }

  /**
   * Reads a file of a skill and verifies its size, its digest and, for `SKILL.md`, the frontmatter against the entry.
   *
   * @param uri - a file of the entry; default: its `SKILL.md`
   * @throws SkillError if the entry does not list the file, if the file does not match the entry, if the entry exceeds
   *   the limits (512 files, 16 MiB), or if the skill has no digests and `allowDynamic` is not set
   */
  async read(
    entry: SkillEntry,
    uri: string = entry.uri,
    { allowDynamic = false, parseFrontmatter }: ReadSkillOptions = {},
  ): Promise<SkillFile> {
    assertEntry(entry);
    const { resources } = entry;
    if (resources === "dynamic" && !allowDynamic) {
      throw new SkillError(entry.uri, "it has no digests; read it with allowDynamic");
    }
    const listed = resources === "dynamic" ? undefined : resources.find((one) => one.uri === uri);
    if (resources === "dynamic" ? !uri.startsWith(`${folderOf(entry.uri)}/`) : !listed) {
      throw new SkillError(uri, "the entry does not list it; get the skill again");
    }
    const file = await this.#file(uri);
    if (file.bytes.length > MAX_SKILL_BYTES) throw new SkillError(uri, "it is larger than a skill");
    if (listed && file.bytes.length !== listed.size) {
      throw new SkillError(
        uri,
        `it has ${file.bytes.length} bytes, not ${listed.size}; get the skill again`,
      );
    }
    if (listed && (await digestOf(file.bytes)) !== listed.digest) {
      throw new SkillError(uri, "its digest is not that of the entry; get the skill again");
    }
    if (uri === entry.uri) assertFrontmatter(entry, file, parseFrontmatter);
    return file;
  }

  /**
   * Lists the immediate children of a directory. A file that is not listed in any entry does not belong to a skill.
   *
   * @throws SkillError if the server does not support this
   * @throws RpcError -32602 if the URI is not a directory
   */
  async *directory(uri: string): AsyncGenerator<DirectoryChild, void, void> {
    if (!this.hasDirectories) throw new SkillError(uri, "the server does not list directories");
    yield* this.#pages<DirectoryChild>(this.#methods[2]!, { uri }, "resources");
  }

  async #file(uri: string): Promise<SkillFile> {
    const { contents } = (await this.#client.request("resources/read", { uri })) as {
      contents: readonly { uri: string; mimeType?: string; text?: string; blob?: string }[];
    };
    const [content, ...others] = contents.filter((one) => one.uri === uri);
    if (!content || others.length > 0)
      throw new SkillError(uri, "the server did not return exactly one content for it");
    const { mimeType, text, blob = "" } = content;
    if (text !== undefined) return { uri, mimeType, bytes: new TextEncoder().encode(text), text };
    const bytes = Uint8Array.from(atob(blob), (character) => character.charCodeAt(0));
    return { uri, mimeType, bytes, text: textOf(bytes) };
  }

  async *#pages<Item>(
    method: string,
    params: object,
    member: string,
  ): AsyncGenerator<Item, void, void> {
    const seen = new Set<string>();
    let cursor: string | undefined;
    do {
      const page = (await this.#request(method, {
        ...params,
        ...(cursor !== undefined && { cursor }),
      })) as Record<string, unknown>;
      yield* page[member] as readonly Item[];
      cursor = page["nextCursor"] as string | undefined;
      if (cursor !== undefined && seen.has(cursor))
        throw new SkillError(method, "the cursor of a page leads to the same page again");
      if (cursor !== undefined) seen.add(cursor);
    } while (cursor !== undefined);
  }

  #request(method: string, params: object): Promise<unknown> {
    return this.#client.request(this.#requests[method], params);
  }
}

function assertFrontmatter(
  { uri, frontmatter }: SkillEntry,
  { text }: SkillFile,
  parse: ReadSkillOptions["parseFrontmatter"],
): void {
  if (text === undefined) throw new SkillError(uri, "it is not UTF-8 text");
  const found = parse ? parse(text) : frontmatterOf(uri, text);
  if (!sameJson(found, frontmatter)) {
    throw new SkillError(uri, "its frontmatter is not that of the entry; get the skill again");
  }
}

function sameJson(one: unknown, other: unknown): boolean {
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) {
    return one === other;
  }
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const names = Object.keys(one);
  if (names.length !== Object.keys(other).length) return false;
  return names.every(
    (name) =>
      Object.hasOwn(other, name) &&
      sameJson((one as Record<string, unknown>)[name], (other as Record<string, unknown>)[name]),
  );
}
