import type { HandlerContext } from "../api/index.js";
import type { Completers, CompletionsOf, CompletionSource } from "./completions/completers.js";
import type { Registry } from "./registry.js";
import type { AccessRule, PagingOptions } from "./registry-types.js";
import type { TemplateMatch, UriTemplate } from "./uri-template/uri-template.js";

/** Members that resources have in all revisions. */
export interface ResourceDefinition {
  readonly uri: string;
  readonly name: string;
}

/** Members that resource templates have in all revisions. */
export interface ResourceTemplateDefinition {
  /** URI template (RFC 6570). */
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
  /** The template of the definition, if it has been parsed already. */
  readonly matcher?: UriTemplate | undefined;
}

/** Behaviour of a family whose template is parsed. */
export interface CompiledFamily<Resource, Result, Context> extends TemplateFamily<
  Resource,
  Result,
  Context
> {
  readonly template: UriTemplate;
}

/** Parts of a server's resources that its families need. */
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

/** The families of a server's resources. Their code comes with the class of templates, so that other servers do not load it. */
export interface ResourceFamilies<Resource, Template, Result, Context> {
  /** @throws TypeError if the template is invalid, or for completers of variables that it does not have */
  compile(
    template: Template,
    family: TemplateFamily<Resource, Result, Context>,
  ): CompiledFamily<Resource, Result, Context>;
  /** Single resources, followed by those that families list. The same array if none does. */
  listed(
    single: readonly Resource[],
    context: Context,
  ): readonly Resource[] | Promise<readonly Resource[]>;
  /** Contents from the first family that contains the URI and has contents. */
  read(
    uri: string,
    context: Context,
  ): Promise<{ readonly result: Result; readonly rule: AccessRule | undefined } | undefined>;
  /** True if the URI is that of a possible resource. @throws InsufficientScopeError if the sender lacks scopes for it */
  isKnown(uri: string, context: Context): boolean;
  /** True if access rules withhold messages about the resource of a URI from a sender. */
  isKept(uri: string, context: Context): boolean;
  /** Completers of a template, by the template itself or by a URI that it matches; every variable has an entry. */
  completersOf(uri: string, context: Context): ReturnType<CompletionSource<Context>>;
}

/** Creates the families of a server's resources. */
export type MakeFamilies = <
  Resource extends ResourceDefinition,
  Template extends ResourceTemplateDefinition,
  Result extends ReadContents,
  Context extends HandlerContext,
>(
  host: FamiliesHost<Resource, Template, Result, Context>,
) => ResourceFamilies<Resource, Template, Result, Context>;

export interface ResourcesOptions<Context> extends PagingOptions {
  /** Permits subscriptions, see `Resources.updated`. Default: none. */
  readonly subscriptions?: SubscriptionOptions<Context> | undefined;
  /** Feature that serves the completers of templates and knows their variables. */
  readonly completions?: CompletionsOf<Context> | undefined;
  /** Longest URI that is looked up, in UTF-16 units. Default: 65 536. */
  readonly maxUriLength?: number | undefined;
}

export interface SubscriptionOptions<Context> {
  /** URIs that one session, or one subscription of a stateless client, may have. Default: 1000. */
  readonly limit?: number | undefined;
  /** Longest URI that can be subscribed to, in UTF-16 units; at most that of the resources. Default: 2048. */
  readonly maxUriLength?: number | undefined;
  /**
   * UTF-16 units that the URIs of one session, or of one subscription of a stateless client, may
   * have together. Default: 262 144.
   */
  readonly maxCharacters?: number | undefined;
  /** UTF-16 units that all subscribed URIs may have together. Default: 67 108 864. */
  readonly maxTotalCharacters?: number | undefined;
  /**
   * True to accept subscriptions to URIs that are neither a resource, nor in a family, nor a parent of a resource.
   * Default: false, they are answered like a request to read a missing one.
   */
  readonly unknown?: boolean | undefined;
  /** Called before a session is subscribed; throw an `RpcError` to refuse. */
  readonly onsubscribe?: ((uri: string, context: Context) => void | Promise<void>) | undefined;
  /** Called with a URI that receives its first subscriber; the function that it returns is called after the last one. */
  readonly watch?: ((uri: string) => (() => void) | void) | undefined;
}
