import {
  type AnyHandler,
  type BusEvent,
  type Feature,
  type FeatureHost,
  type Filter,
  type HandlerContext,
  type LastingMethods,
  type Listening,
  type Session,
  resourceNotFound,
} from "../api/index.js";
import { type Revision, isUri, namesCapability, quote, toAscii } from "../wire/index.js";
import { isThenable } from "../ground/index.js";
import {
  assertCompletable,
  assertServed,
  type CompletionSource,
  completersByName,
  DEFAULT_MAX_URI_LENGTH,
} from "./completions/completers.js";
import { announcement } from "./announcement.js";
import { asPrivate, Registry } from "./registry.js";
import type { AccessRule, Family, Registration } from "./registry-types.js";
import type {
  TemplateFamily,
  ReadContents,
  ReadResource,
  ResourceDefinition,
  ResourcesOptions,
  ResourceTemplateDefinition,
} from "./resource-types.js";
import { type ResourceUpdates, resourceUpdates, SUBSCRIBE } from "./resource-updates.js";
import type { TemplateMatch, UriTemplate } from "./uri-template/uri-template.js";

/** Family of the resources. */
export const RESOURCES: Family = {
  noun: "resource",
  list: "resources/list",
  name: "resources",
  key: "uri",
  changed: "notifications/resources/list_changed",
};

/** Family of the templates of resources. */
export const TEMPLATES: Family = {
  ...RESOURCES,
  noun: "resource template",
  list: "resources/templates/list",
  name: "resourceTemplates",
  key: "uriTemplate",
};

/** The resources of a server, with families whose templates have been parsed, or that `parse` reads. */
export class ResourceRegistry<
  Resource extends ResourceDefinition = ResourceDefinition,
  Template extends ResourceTemplateDefinition = ResourceTemplateDefinition,
  Result extends ReadContents = ReadContents,
  Context extends HandlerContext = HandlerContext,
> implements Feature {
  readonly handlers: Readonly<Record<string, AnyHandler>>;
  readonly audiences: Readonly<Record<string, (params: unknown) => Iterable<Session>>> | undefined;
  readonly capabilities = (revision: Revision): object => {
    const subscribe = this.#updates !== undefined && namesCapability(revision, SUBSCRIBE);
    return { resources: { listChanged: true, ...(subscribe && { subscribe }) } };
  };
  readonly lasting: LastingMethods | undefined;
  readonly #options: ResourcesOptions<Context>;
  readonly #maxUriLength: number;
  readonly #resources: Registry<
    Resource,
    [read: ReadResource<Result, Context>],
    ReadResource<Result, Context>
  >;
  readonly #families: Registry<
    Template,
    [family: TemplateFamily<Resource, Result, Context>],
    CompiledFamily<Resource, Result, Context>
  >;
  readonly #updates: ResourceUpdates<Context> | undefined;

  /** @throws TypeError if the page size is invalid */
  constructor(options: ResourcesOptions<Context>, parse?: (template: string) => UriTemplate) {
    const { completions, subscriptions, maxUriLength = DEFAULT_MAX_URI_LENGTH } = options;
    this.#options = options;
    this.#maxUriLength = maxUriLength;
    const changed = announcement(RESOURCES.changed);
    const compileResource = (
      { uri }: Resource,
      read: ReadResource<Result, Context>,
    ): ReadResource<Result, Context> => {
      assertUri(uri);
      return read;
    };
    this.#resources = new Registry(RESOURCES, options, compileResource, changed);
    this.#families = new Registry(
      TEMPLATES,
      options,
      ({ uriTemplate }, family) => {
        const { complete, matcher: template = parse!(uriTemplate) } = family;
        if (complete) {
          const { variables } = template;
          assertCompletable(quote(uriTemplate), "variable", variables, complete, completions);
        }
        return { ...family, template };
      },
      changed,
    );
    this.#updates =
      subscriptions &&
      resourceUpdates(subscriptions, maxUriLength, {
        definitionsFor: (context) => this.#resources.definitionsFor(context),
        has: this.#isKnown,
        isKept: this.#isKept,
      });
    this.handlers = {
      "resources/list": (params, context) => this.#list(params, context as Context),
      "resources/templates/list": (params, context) => this.#families.list(params, context),
      "resources/read": (params, context) =>
        this.#read((params as { uri: string }).uri, context as Context),
      ...this.#updates?.handlers,
    };
    this.audiences = this.#updates?.audiences;
    this.lasting = this.#updates && { "resources/subscribe": "resources/unsubscribe" };
    completions?.source(this.#completersOf);
  }

  missed(): readonly BusEvent[] {
    return this.#updates?.missed() ?? [];
  }

  attach(host: FeatureHost): void {
    assertServed(this.#options.completions, host);
    this.#resources.attach(host);
    this.#families.check(host);
    this.#updates?.attach(host);
  }

  listen(filter: Filter, context: HandlerContext): Promise<Listening | undefined> | undefined {
    return this.#updates?.listen(filter, context as Context);
  }

  /**
   * Adds a resource; clients are notified that the list has changed.
   * @throws TypeError if its URI is invalid, or was added already
   */
  add(
    resource: Resource,
    read: ReadResource<Result, Context>,
  ): Registration<Resource, [read: ReadResource<Result, Context>]> {
    return this.#resources.add(resource, read);
  }

  /** Adds a family of resources, as `Resources.addTemplate` does. */
  addFamily(
    template: Template,
    family: TemplateFamily<Resource, Result, Context>,
  ): Registration<Template, [family: TemplateFamily<Resource, Result, Context>]> {
    return this.#families.add(template, family);
  }

  /**
   * Notifies the sessions that have subscribed to a resource, or to a parent of it, that it has changed. Changes of one
   * turn result in one notification.
   *
   * @param meta - `_meta` of the notification
   * @throws TypeError if the option `subscriptions` is missing
   */
  updated(uri: string, meta?: object): void {
    if (!this.#updates) throw new TypeError("Resources needs the option subscriptions: {}");
    this.#updates.updated(uri, meta);
  }

  #list(params: unknown, context: Context): unknown {
    const families = this.#families.entriesFor(context).filter(({ behaviour }) => behaviour.list);
    const isPrivate = this.#resources.isPrivateFor(context) || this.#families.isPrivateFor(context);
    const single = this.#resources.definitionsFor(context);
    return families.length === 0
      ? this.#resources.list(params, context, single, isPrivate)
      : this.#listWith(families, single, params, context, isPrivate);
  }

  /** Single resources first; one that several lists contain is listed once. */
  async #listWith(
    families: readonly { readonly behaviour: TemplateFamily<Resource, Result, Context> }[],
    single: readonly Resource[],
    params: unknown,
    context: Context,
    isPrivate: boolean,
  ): Promise<unknown> {
    const lists = families.map(async ({ behaviour }) => behaviour.list!(context));
    const all = new Map(single.map((resource) => [resource.uri, resource]));
    for (const list of await Promise.all(lists)) {
      for (const resource of list) {
        const { uri } = resource;
        if (!all.has(uri) && !this.#resources.has(uri)) all.set(uri, resource);
      }
    }
    return this.#resources.list(params, context, [...all.values()], isPrivate);
  }

  /** Reads the resource with a URI, in which characters other than ASCII are encoded first. */
  #read(given: string, context: Context): unknown {
    const uri = toAscii(given) ?? given;
    const resource = this.#resources.use(uri, context);
    if (resource === undefined) return this.#readFromFamily(uri, context);
    const { rule } = resource;
    const result = resource.behaviour(uri, context);
    return isThenable(result)
      ? result.then((contents) => existing(uri, contents as Result | undefined, rule, context))
      : existing(uri, result, rule, context);
  }

  async #readFromFamily(uri: string, context: Context): Promise<Result> {
    for (const [family, match] of this.#familiesOf(uri, context)) {
      const { rule } = this.#families.use(family.template.template, context)!;
      const result = await family.read(uri, match, context);
      if (hasContents(result)) return existing(uri, result, rule, context);
    }
    throw resourceNotFound(context.session.revision, uri);
  }

  /**
   * Families whose template matches a URI; none for the URI of a single resource, even if the
   * resource is disabled.
   */
  *#familiesOf(
    uri: string,
    context: Context,
  ): Generator<[CompiledFamily<Resource, Result, Context>, TemplateMatch]> {
    if (uri.length > this.#maxUriLength || this.#resources.has(uri)) return;
    for (const { behaviour } of this.#families.entriesFor(context)) {
      const { template, upwards } = behaviour;
      const match = template.match(uri);
      if (match && (upwards || !template.leadsAway(uri, match))) yield [behaviour, match];
    }
  }

  /**
   * True if a URI is that of a resource, or of a possible resource of a template.
   * @throws InsufficientScopeError if the sender lacks scopes for it
   */
  readonly #isKnown = (uri: string, context: Context): boolean => {
    if (this.#resources.use(uri, context)) return true;
    for (const [{ template }] of this.#familiesOf(uri, context))
      return this.#families.use(template.template, context) !== undefined;
    return false;
  };

  /** True if a sender that follows a parent must not learn of changes of the resource with a URI. */
  readonly #isKept = (uri: string, context: Context): boolean => {
    if (!this.#resources.hasRules && !this.#families.hasRules) return false;
    if (this.#resources.has(uri)) return this.#resources.isKeptFrom(uri, context);
    const templates = this.#families.definitions.filter(({ uriTemplate }) =>
      this.#families.get(uriTemplate)!.behaviour.template.match(uri),
    );
    return (
      templates.length > 0 &&
      templates.every(({ uriTemplate }) => this.#families.isKeptFrom(uriTemplate, context))
    );
  };

  /** Completers of a template, by the template itself or by a URI that it matches; every variable has an entry. */
  readonly #completersOf: CompletionSource<Context> = (reference, context) => {
    if (reference.type !== "ref/resource") return undefined;
    const { uri } = reference;
    const exact = this.#families.use(uri, context)?.behaviour;
    if (exact === undefined && this.#families.has(uri)) return "hidden";
    const [family] = exact ? [exact] : (this.#familiesOf(uri, context).next().value ?? []);
    if (family === undefined) return undefined;
    this.#families.use(family.template.template, context);
    return completersByName(family.template.variables, family.complete);
  };
}

interface CompiledFamily<Resource, Result, Context> extends TemplateFamily<
  Resource,
  Result,
  Context
> {
  readonly template: UriTemplate;
}

/** @param rule - rule of the resource; shared caches must not keep the contents of one that has a rule */
function existing<Result extends ReadContents>(
  uri: string,
  result: Result | undefined,
  rule: AccessRule | undefined,
  { session: { revision } }: HandlerContext,
): Result {
  if (!hasContents(result)) throw resourceNotFound(revision, uri);
  return rule !== undefined && revision.traits.cacheable ? asPrivate(result) : result;
}

function hasContents<Result extends ReadContents>(result: Result | undefined): result is Result {
  return result !== undefined && result.contents?.length !== 0;
}

function assertUri(uri: string): void {
  if (isUri(uri)) return;
  throw new TypeError(
    `${quote(uri)} is not an absolute URI: it needs a scheme, and percent-encoding`,
  );
}
