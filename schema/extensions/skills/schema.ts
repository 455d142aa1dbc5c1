/* Types of the skills extension, written after its specification, which has no schema file. */

import type {
  CacheableResult,
  JSONRPCRequest,
  PaginatedRequest,
  PaginatedRequestParams,
  PaginatedResult,
  RequestParams,
  Resource,
} from "../../2026-07-28/schema.js";

/* Skills */

/** A file of a skill, with what proves that its content is the right one. */
export interface SkillResource {
  /** URI to read it under. */
  uri: string;

  /**
   * SHA-256 of the bytes: `sha256:` and 64 lower-case hex digits.
   *
   * @pattern ^sha256:[0-9a-f]{64}$
   */
  digest: string;

  /**
   * Bytes of the content.
   *
   * @minimum 0
   */
  size: number;
}

/** A skill: instructions for a model, with files beside them. */
export interface Skill {
  /** URI of its `SKILL.md`. The last segment before it is the name of the skill. */
  uri: string;

  /** Frontmatter of `SKILL.md` as it is written there, in JSON. */
  frontmatter: {
    name: string;
    description: string;
    [key: string]: unknown;
  };

  /** All files, `SKILL.md` included; `dynamic` if their content is generated for every read. */
  resources: SkillResource[] | "dynamic";
}

/* skills/list */

/** Requests the list of the server's skills. */
export interface ListSkillsRequest extends PaginatedRequest {
  method: "skills/list";
}

/** Skills of the server, perhaps not all of them. */
export interface ListSkillsResult extends PaginatedResult, CacheableResult {
  skills: Skill[];
}

/* skills/get */

export interface GetSkillRequestParams extends RequestParams {
  /** URI of a `SKILL.md`. */
  uri: string;
}

/** Requests one skill, listed or not. */
export interface GetSkillRequest extends JSONRPCRequest {
  method: "skills/get";
  params: GetSkillRequestParams;
}

export interface GetSkillResult extends CacheableResult {
  skill: Skill;
}

/* resources/directory/read */

export interface ReadResourceDirectoryRequestParams extends PaginatedRequestParams {
  /** URI of a directory, without a slash at the end. */
  uri: string;
}

/** Requests the contents of a directory, for servers that declare `directoryRead`. */
export interface ReadResourceDirectoryRequest extends PaginatedRequest {
  method: "resources/directory/read";
  params: ReadResourceDirectoryRequestParams;
}

/** Files and directories directly in the directory; the latter have the MIME type `inode/directory`. */
export interface ReadResourceDirectoryResult extends PaginatedResult {
  resources: Resource[];
}

/* Settings */

/** Settings of a server. */
export interface SkillsServerCapabilities {
  /** True when the server answers `resources/directory/read`; false without it. */
  directoryRead?: boolean;
}

/* Messages by side */

export type ClientRequest = ListSkillsRequest | GetSkillRequest | ReadResourceDirectoryRequest;
