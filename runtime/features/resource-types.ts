import type { HandlerContext } from "../api/index.js";
import type { Completers, CompletionsOf, CompletionSource } from "./completions/completers.js";
import type { Registry } from "./registry.js";
import type { AccessRule, PagingOptions } from "./registry-types.js";
import type { TemplateMatch, UriTemplate } from "./uri-template/uri-template.js";

/** The members that resources have in all revisions. */
export interface ResourceDefinition {
  readonly uri: string;
  readonly name: string;
}

/** The members that resource templates have in all revisions. */
export interface ResourceTemplateDefinition {
  /** The URI template (RFC 6570). */
  readonly uriTemplate: string;
  readonly name: string;
}

/** The members that a resource's contents have in all revisions. */
export interface ReadContents {
  readonly contents: readonly unknown[];
}

/**
 * Returns a resource's contents. If it returns undefined or an empty list of contents, the resource does not exist, and
 * the client receives the error that its revision has for this.
 */
export type ReadResource<Result, Context> = (
  uri: string,
  context: Context,
) => Result | undefined | Promise<Result | undefined>;

/** Returns the contents of a resource in a family, as {@link ReadResource} does. */
export type ReadTemplate<Result, Context> = (
  uri: string,
  match: TemplateMatch,
  context: Context,
) => Result | undefined | Promise<Result | undefined>;

export interface TemplateOptions<Resource, Context> {
  /** Returns the family's resources that `resources/list` includes. Default: none. */
  readonly list?:
    ((context: Context) => readonly Resource[] | Promise<readonly Resource[]>) | undefined;
  /**
   * True to also read URIs that would lead out of the family if used as paths: those with `..` segments, or with a
   * value that begins with an encoded slash. Default: false, in which case such resources do not exist.
   */
  readonly upwards?: boolean | undefined;
  /** Suggestions for variables, by name. They need the `completions` option. */
  readonly complete?: Completers<Context> | undefined;
}

/** The functions and settings of a resource family. */
export interface TemplateFamily<Resource, Result, Context> extends TemplateOptions<
  Resource,
  Context
> {
  readonly read: ReadTemplate<Result, Context>;
  /** The definition's template, if it has already been parsed. */
  readonly matcher?: UriTemplate | undefined;
}

export interface CompiledFamily<Resource, Result, Context> extends TemplateFamily<
  Resource,
  Result,
  Context
> {
  readonly template: UriTemplate;
}

export interface FamiliesHost<Resource extends object, Template extends object, Result, Context> {
  readonly resources: Registry<
    Resource,
    [read: ReadResource<Result, Context>],
    ReadResource<Result, Context>
  >;
  readonly templates: Registry<
    Template,
    [family: TemplateFamily<Resource, Result, Context>],
    CompiledFamily<Resource, Result, Context>
  >;
  readonly maxUriLength: number;
  readonly completions: CompletionsOf<Context> | undefined;
}

/**
 * The families of a server's resources. Only the class with templates imports their code, so that other servers do not
 * load it.
 */
export interface ResourceFamilies<Resource, Template, Result, Context> {
  compile(
    template: Template,
    family: TemplateFamily<Resource, Result, Context>,
  ): CompiledFamily<Resource, Result, Context>;
  /**
   * Returns the single resources followed by those that families list. Returns the same array if no family lists any.
   */
  listed(
    single: readonly Resource[],
    context: Context,
  ): readonly Resource[] | Promise<readonly Resource[]>;
  read(
    uri: string,
    context: Context,
  ): Promise<{ readonly result: Result; readonly rule: AccessRule | undefined } | undefined>;
  /**
   * True if a family can contain a resource with this URI.
   * @throws InsufficientScopeError if the sender lacks scopes for it
   */
  isKnown(uri: string, context: Context): boolean;
  /** True if access rules hide the resource from the sender of the request. */
  isKept(uri: string, context: Context): boolean;
  /** Returns the completers of the template that equals or matches a URI; every variable has an entry. */
  completersOf(uri: string, context: Context): ReturnType<CompletionSource<Context>>;
}

export type MakeFamilies = <
  Resource extends ResourceDefinition,
  Template extends ResourceTemplateDefinition,
  Result extends ReadContents,
  Context extends HandlerContext,
>(
  host: FamiliesHost<Resource, Template, Result, Context>,
) => ResourceFamilies<Resource, Template, Result, Context>;

export interface ResourcesOptions<Context> extends PagingOptions {
  /**
   * Options for subscriptions. Clients can subscribe only if this is set; see `Resources.updated`. Default: no
   * subscriptions.
   */
  readonly subscriptions?: SubscriptionOptions<Context> | undefined;
  /**
   * The feature that answers completion requests using the templates' completers. Required if a template has
   * completers.
   */
  readonly completions?: CompletionsOf<Context> | undefined;
  /** The maximum length of a URI that is looked up, in UTF-16 units. Default: 65,536. */
  readonly maxUriLength?: number | undefined;
}

export interface SubscriptionOptions<Context> {
  /** The maximum number of URIs in a session, or in a stateless client's subscription. Default: 1000. */
  readonly limit?: number | undefined;
  /**
   * The maximum length of a URI that can be subscribed to, in UTF-16 units. It cannot exceed the resources'
   * `maxUriLength`. Default: 2048.
   */
  readonly maxUriLength?: number | undefined;
  /**
   * The maximum total length of the URIs in a session, or in a stateless client's subscription, in UTF-16 units.
   * Default: 262,144.
   */
  readonly maxCharacters?: number | undefined;
  /** The maximum total length of all subscribed URIs, in UTF-16 units. Default: 67,108,864. */
  readonly maxTotalCharacters?: number | undefined;
  /**
   * True to accept subscriptions to URIs that are not resources, do not belong to a family, and are not the parent of a
   * resource. Default: false, in which case such a request is answered like a request to read a missing resource.
   */
  readonly unknown?: boolean | undefined;
  /** Called before a session is subscribed; throw an `RpcError` to refuse. */
  readonly onsubscribe?: ((uri: string, context: Context) => void | Promise<void>) | undefined;
  /**
   * Called with a URI when its first subscription begins. The function that it returns is called when the URI's last
   * subscription has ended.
   */
  readonly watch?: ((uri: string) => (() => void) | void) | undefined;
}
