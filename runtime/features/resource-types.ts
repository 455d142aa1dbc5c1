import type { Completers, CompletionSource } from "./completions.js";
import type { PagingOptions } from "./listing.js";
import type { TemplateMatch } from "./uri-template/uri-template.js";

/** Length in UTF-16 units. */
export const DEFAULT_MAX_URI_LENGTH = 65_536;

/** Members that the resources of all revisions have in common. */
export interface ResourceDefinition {
  readonly uri: string;
  readonly name: string;
}

/** Members that the resource templates of all revisions have in common. */
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
 * Gives the contents of a resource. Undefined, and no contents at all, say that it does not exist; the client is
 * told in the way of its revision.
 */
export type ReadResource<Result, Context> = (
  uri: string,
  context: Context,
) => Result | undefined | Promise<Result | undefined>;

/** Gives the contents of a resource of a family, as {@link ReadResource} does. */
export type ReadTemplate<Result, Context> = (
  uri: string,
  match: TemplateMatch,
  context: Context,
) => Result | undefined | Promise<Result | undefined>;

export interface TemplateOptions<Resource, Context> {
  /** The resources of the family that `resources/list` is to name. Default: none. */
  readonly list?:
    ((context: Context) => readonly Resource[] | Promise<readonly Resource[]>) | undefined;
  /**
   * True to read also URIs that lead out of the family when they are taken for paths: with `..` segments or, in a value,
   * an encoded slash at the start. Default: false, there are no such resources.
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

export interface SubscriptionOptions<Context> {
  /** URIs that one session, or one subscription of a stateless client, may have. Default: 1000. */
  readonly limit?: number | undefined;
  /** Longest URI that can be subscribed to, in UTF-16 units; at most that of the resources. Default: 2048. */
  readonly maxUriLength?: number | undefined;
  /** UTF-16 units that the URIs of one session, or of one such subscription, may have together. Default: 262 144. */
  readonly maxCharacters?: number | undefined;
  /** UTF-16 units that all subscribed URIs may have together. Default: 67 108 864. */
  readonly maxTotalCharacters?: number | undefined;
  /**
   * Accepts subscriptions to URIs that are neither a resource, nor in a family, nor a parent of a resource.
   * Default: false, they are answered like reading one that does not exist.
   */
  readonly unknown?: boolean | undefined;
  /** Called before a session is subscribed; throw an `RpcError` to refuse. */
  readonly onsubscribe?: ((uri: string, context: Context) => void | Promise<void>) | undefined;
  /** Called with a URI when it gets its first subscriber; what it returns is called when the last one is gone. */
  readonly watch?: ((uri: string) => (() => void) | void) | undefined;
}

export interface ResourcesOptions<Context> extends PagingOptions {
  /** Lets clients subscribe, see `Resources.updated`. Default: they cannot. */
  readonly subscriptions?: SubscriptionOptions<Context> | undefined;
  /** Feature that serves the completers of templates and knows their variables. */
  readonly completions?: CompletionsOf<Context> | undefined;
  /** Longest URI that is looked up, in UTF-16 units. Default: 65 536. */
  readonly maxUriLength?: number | undefined;
}

/** Operations of `Completions` that a feature with completers needs. */
export interface CompletionsOf<Context> {
  source(source: CompletionSource<Context>): unknown;
}
