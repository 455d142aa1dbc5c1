import type { TemplateValues } from "../../features/index.js";
import type { MembersOf } from "../../ground/index.js";
import type { Freshness, InputRequired } from "../../api/index.js";
import type { AccessConfig } from "./access-rule.js";
import type { AskingContext } from "./context-types.js";
import type {
  ContentsOf,
  GivenResult,
  NeutralTypes,
  QuestionsOf,
  ResourceOf,
  TemplateOf,
} from "./neutral-types.js";

/** A resource but for its name and URI. */
export type ResourceConfig<Types extends NeutralTypes> = Partial<
  Omit<MembersOf<ResourceOf<Types>>, "name" | "uri">
> &
  AccessConfig<Types> &
  Cached;

/** A family of resources but for its name and template. */
export type TemplateConfig<Types extends NeutralTypes> = Partial<
  Omit<MembersOf<TemplateOf<Types>>, "name" | "uriTemplate">
> &
  AccessConfig<Types> &
  Cached;

interface Cached {
  /** Freshness of contents, where the result does not state it and the revision has it. */
  readonly cacheHint?: Freshness | undefined;
}

/** Gives the contents of a resource; undefined, when there is none. */
export type ReadCallback<Types extends NeutralTypes> = (
  uri: URL,
  ctx: AskingContext<Types>,
) => ReadOutcome<Types> | Promise<ReadOutcome<Types>>;

/**
 * Gives the contents of a resource of a family; undefined, when there is none.
 *
 * @param variables - whoever sent the URI decides what is in them: they have to be checked before they name a file
 */
export type ReadTemplateCallback<Types extends NeutralTypes> = (
  uri: URL,
  variables: TemplateValues,
  ctx: AskingContext<Types>,
) => ReadOutcome<Types> | Promise<ReadOutcome<Types>>;

/**
 * Result of a read handler: a text, bytes, contents, a whole result, or undefined for a missing
 * resource.
 */
export type ReadOutcome<Types extends NeutralTypes> =
  | string
  | Uint8Array
  | readonly ContentsOf<Types>[]
  | GivenResult<Types, "resources/read", "contents">
  | InputRequired
  | QuestionsOf<Types, "resources/read">
  | undefined;

/** Configuration of a resource at a URI, or of a family at a template. */
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

/** A registered resource or family of resources. What has been removed stays removed. */
export interface ResourceHandle<Definition, Config, Read> {
  readonly name: string;
  /** Definition as clients list it. */
  readonly definition: Definition;
  readonly enabled: boolean;
  /**
   * Replaces what is given.
   * @throws TypeError as `registerResource` does; nothing changes then
   */
  update(
    changes: Config & {
      readonly name?: string;
      readonly uri?: string;
      readonly enabled?: boolean;
      readonly read?: Read;
    },
  ): void;
  /** Lists it again. */
  enable(): void;
  /** Keeps it from being listed and read. */
  disable(): void;
  remove(): void;
}
