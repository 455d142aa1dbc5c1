import type { Completers, CompletionsOf } from "./completions.js";
import type { PagingOptions } from "./registry.js";
import type { SubscriptionOptions } from "./resource-updates.js";
import type { TemplateMatch } from "./uri-template/uri-template.js";

/** Members that resources have at all revisions. */
export interface ResourceDefinition {
  readonly uri: string;
  readonly name: string;
}

/** Members that resource templates have at all revisions. */
export interface ResourceTemplateDefinition {
  /** RFC 6570. */
  readonly uriTemplate: string;
  readonly name: string;
}

/** Minimal content of a resource that was read. */
export interface ReadContents {
  readonly contents: readonly unknown[];
}

/**
 * Returns the contents of a resource. If it returns undefined, or no contents at all, the resource does not exist, and the
 * client receives the error of its revision.
 */
export type ReadResource<Result, Context> = (
  uri: string,
  context: Context,
) => Result | undefined | Promise<Result | undefined>;

/** Returns the contents of a resource of a family, as {@link ReadResource} does. */
export type ReadTemplate<Result, Context> = (
  uri: string,
  match: TemplateMatch,
  context: Context,
) => Result | undefined | Promise<Result | undefined>;

export interface TemplateOptions<Resource, Context> {
  /** Returns the resources of the family that `resources/list` includes. Default: none. */
  readonly list?:
    ((context: Context) => readonly Resource[] | Promise<readonly Resource[]>) | undefined;
  /**
   * True to also read URIs that, used as paths, lead out of the family: with `..` segments or, in a value, an encoded
   * slash at the start. Default: false, such resources do not exist.
   */
  readonly upwards?: boolean | undefined;
  /** Suggestions for variables, by name; they need the option `completions`. */
  readonly complete?: Completers<Context> | undefined;
}

/** Behaviour of a family of resources. */
export interface TemplateFamily<Resource, Result, Context> extends TemplateOptions<
  Resource,
  Context
> {
  readonly read: ReadTemplate<Result, Context>;
}

export interface ResourcesOptions<Context> extends PagingOptions {
  /** Permits subscriptions, see `Resources.updated`. Default: none. */
  readonly subscriptions?: SubscriptionOptions<Context> | undefined;
  /** Feature that serves the completers of templates and knows their variables. */
  readonly completions?: CompletionsOf<Context> | undefined;
  /** Longest URI that is looked up, in UTF-16 units. Default: 65 536. */
  readonly maxUriLength?: number | undefined;
}
