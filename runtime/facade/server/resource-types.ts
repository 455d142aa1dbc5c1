import type { Freshness, InputRequired } from "../../api/index.js";
import type { Completers, TemplateValues } from "../../features/index.js";
import type { MembersOf } from "../../ground/index.js";
import type {
  ContentsOf,
  GivenResult,
  NeutralTypes,
  QuestionsOf,
  ResourceOf,
  TemplateOf,
} from "../neutral-types.js";
import type { AskingContext, ServerContext } from "./context-types.js";
import type { AccessConfig, Handle } from "./registration.js";

/** The configuration of a resource, without its name and URI. */
export type ResourceConfig<Types extends NeutralTypes> = Partial<
  Omit<MembersOf<ResourceOf<Types>>, "name" | "uri">
> &
  AccessConfig<Types> &
  Cached;

/** The configuration of a family of resources, without its name and template. */
export type TemplateConfig<Types extends NeutralTypes> = Partial<
  Omit<MembersOf<TemplateOf<Types>>, "name" | "uriTemplate">
> &
  AccessConfig<Types> &
  Cached;

interface Cached {
  /** The freshness of contents, used if the result does not state it and the revision supports it. */
  readonly cacheHint?: Freshness | undefined;
}

/** Returns a resource's contents, or undefined if the resource does not exist. */
export type ReadCallback<Types extends NeutralTypes> = (
  uri: URL,
  ctx: AskingContext<Types>,
) => ReadOutcome<Types> | Promise<ReadOutcome<Types>>;

/**
 * Returns the contents of a resource in a family, or undefined if the resource does not exist.
 *
 * @param variables - values chosen by the sender of the URI: check them before you use them as file names
 */
export type ReadTemplateCallback<Types extends NeutralTypes> = (
  uri: URL,
  variables: TemplateValues,
  ctx: AskingContext<Types>,
) => ReadOutcome<Types> | Promise<ReadOutcome<Types>>;

/** The result of a read handler: text, bytes, contents, a whole result, or undefined if the resource does not exist. */
export type ReadOutcome<Types extends NeutralTypes> =
  | string
  | Uint8Array
  | readonly ContentsOf<Types>[]
  | GivenResult<Types, "resources/read", "contents">
  | InputRequired
  | QuestionsOf<Types, "resources/read">
  | undefined;

/** The configuration of a resource, given a URI, or of a family, given a template. */
export type ConfigAt<Types extends NeutralTypes, Where> = Where extends string
  ? ResourceConfig<Types>
  : TemplateConfig<Types>;

export type ReadAt<Types extends NeutralTypes, Where> = Where extends string
  ? ReadCallback<Types>
  : ReadTemplateCallback<Types>;

export type ResourceHandleAt<Types extends NeutralTypes, Where> = ResourceHandle<
  Where extends string ? ResourceOf<Types> : TemplateOf<Types>,
  ConfigAt<Types, Where>,
  ReadAt<Types, Where>
>;

/**
 * The handle of a registered resource or family of resources. Once removed, it cannot be added again through the
 * handle.
 */
export interface ResourceHandle<Definition, Config, Read> extends Handle<Definition> {
  readonly name: string;
  /**
   * Replaces properties of the configuration.
   *
   * @throws TypeError as `registerResource` does, in which case nothing changes
   */
  update(
    changes: Config & {
      readonly name?: string;
      readonly uri?: string;
      readonly enabled?: boolean;
      readonly read?: Read;
    },
  ): void;
}

export interface ResourceTemplateOptions<Types extends NeutralTypes> {
  /**
   * Returns the resources of the family to list. They inherit the members of the family's configuration. Default: none.
   */
  readonly list?: ListResources<Types> | undefined;
  /**
   * True to also read URIs that would lead out of the family if used as paths: those with `..` segments, or with a
   * value that begins with an encoded slash. Default: false, in which case such resources do not exist.
   */
  readonly upwards?: boolean | undefined;
  /** Suggestions for variables, by name. */
  readonly complete?: Completers<ServerContext<Types>> | undefined;
}

export type ListResources<Types extends NeutralTypes> = (
  ctx: ServerContext<Types>,
) => ListedResources<Types> | Promise<ListedResources<Types>>;

export type ListedResources<Types extends NeutralTypes> =
  readonly ResourceOf<Types>[] | { readonly resources: readonly ResourceOf<Types>[] };
