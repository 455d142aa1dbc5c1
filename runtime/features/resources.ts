import type {
  AnyHandler,
  BusEvent,
  Feature,
  FeatureHost,
  Filter,
  HandlerContext,
  LastingMethods,
  Listening,
  Session,
} from "../api/index.js";
import { type Revision, isUri, namesCapability, quote } from "../wire/index.js";
import { isIn, isThenable } from "../ground/index.js";
import { Announcement } from "./announcement.js";
import { assertVariables, type Completer, type CompletionSource } from "./completions.js";
import { DefinitionCheck } from "./definition-check.js";
import { Listing } from "./listing.js";
import { type Registration, Registry } from "./registry.js";
import { resourceNotFound } from "./resource-not-found.js";
import {
  DEFAULT_MAX_URI_LENGTH,
  type TemplateFamily,
  type ReadContents,
  type ReadResource,
  type ReadTemplate,
  type ResourceDefinition,
  type ResourcesOptions,
  type ResourceTemplateDefinition,
  type TemplateOptions,
} from "./resource-types.js";
import { ResourceUpdates, SUBSCRIBE } from "./resource-updates.js";
import type { TemplateMatch } from "./uri-template/uri-template.js";

import { toAscii, UriTemplate } from "./uri-template/uri-template.js";

/**
 * The resources of a server: single ones and families, lists, reading, subscriptions. Pass it with the option
 * `features` (MCP: resources).
 *
 * @example
 * ```ts
 * import { Server } from "@mcp-codegen/2025-11-25";
 *
 * const resources = new Resources();
 * resources.add({ name: "motd", uri: "notes://motd" }, (uri) => ({
 *   contents: [{ uri, text: "Be kind" }],
 * }));
 * const server = new Server({ name: "notes", version: "1.0.0" }, {}, { features: [resources] });
 * ```
 *
 * @typeParam Resource - how the revision defines a resource
 * @typeParam Template - how the revision defines a resource template
 * @typeParam Result - `ReadResourceResult` of the revision
 * @typeParam Context - what handlers get: `ServerContext` of the revision
 */
export class Resources<
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
  readonly #resourceList: Listing<Resource>;
  readonly #templateList: Listing<Template>;
  readonly #check: DefinitionCheck<Resource>;
  readonly #templateCheck: DefinitionCheck<Template>;
  readonly #maxUriLength: number;
  readonly #changed = new Announcement("notifications/resources/list_changed");
  readonly #resources: Registry<Resource, ReadResource<Result, Context>>;
  readonly #families: Registry<Template, TemplateFamily<Resource, Result, Context>>;
  readonly #templates = new WeakMap<Template, UriTemplate>();
  readonly #updates: ResourceUpdates<Context> | undefined;

  /** @throws TypeError for a page size that is none */
  constructor(options: ResourcesOptions<Context> = {}) {
    this.#options = options;
    const { revisions } = options;
    const list = { method: "resources/list", member: "resources", keyOf: uriOf };
    this.#resourceList = new Listing<Resource>({ ...options, ...list });
    this.#check = new DefinitionCheck({ ...list, what: "resource", revisions });
    const templates = {
      method: "resources/templates/list",
      member: "resourceTemplates",
      keyOf: templateOf,
    };
    this.#templateList = new Listing<Template>({ ...options, ...templates });
    this.#templateCheck = new DefinitionCheck({
      ...templates,
      what: "resource template",
      revisions,
    });
    this.#maxUriLength = options.maxUriLength ?? DEFAULT_MAX_URI_LENGTH;
    this.#resources = new Registry<Resource, ReadResource<Result, Context>>({
      what: "resource",
      keyOf: uriOf,
      check: (resource) => {
        checkUri(resource);
        this.#check.assert(resource);
      },
      onchange: this.#changed.make,
    });
    this.#families = new Registry<Template, TemplateFamily<Resource, Result, Context>>({
      what: "resource template",
      keyOf: templateOf,
      check: (template) => {
        this.#templates.set(template, new UriTemplate(template.uriTemplate));
        this.#templateCheck.assert(template);
      },
      onchange: this.#changed.make,
    });
    this.#updates =
      options.subscriptions &&
      new ResourceUpdates(options.subscriptions, this.#maxUriLength, this.#isKnown);
    this.handlers = {
      "resources/list": (params, context) => this.#list(params, context as Context),
      "resources/templates/list": (params, context) =>
        this.#templateList.answer(
          this.#families.definitionsFor(context),
          params,
          this.#families.isPrivateFor(context),
        ),
      "resources/read": (params, context) =>
        this.#read((params as { uri: string }).uri, context as Context),
      ...this.#updates?.handlers,
    };
    this.audiences = this.#updates?.audiences;
    this.lasting = this.#updates && { "resources/subscribe": "resources/unsubscribe" };
    options.completions?.source(this.#completersOf);
  }

  missed(): readonly BusEvent[] {
    return this.#updates?.all ?? [];
  }

  attach(host: FeatureHost): void {
    const { completions } = this.#options;
    if (
      completions &&
      "handlers" in completions &&
      !host.features.some((one) => one === completions)
    ) {
      throw new TypeError(
        "The Completions of Resources are not among the features: features: [resources, completions]",
      );
    }
    this.#changed.attach(host);
    this.#check.attach(host, this.#resources.all);
    this.#templateCheck.attach(host, this.#families.all);
    this.#updates?.attach(host);
  }

  listen(filter: Filter, context: HandlerContext): Promise<Listening | undefined> | undefined {
    return this.#updates?.listen(filter, context as Context);
  }

  /**
   * Adds a resource; clients hear that the list has changed.
   * @throws TypeError when its URI is none, or is there already
   */
  add(
    resource: Resource,
    read: ReadResource<Result, Context>,
  ): Registration<Resource, ReadResource<Result, Context>> {
    return this.#resources.add(resource, read);
  }

  /**
   * Adds a family of resources. A URI that is no single resource is read by the first family that it is in, unless
   * that says that there is no such resource.
   *
   * @throws TypeError for what is not a template, when it is there already, and for completers of variables that it
   *   does not have
   */
  addTemplate(
    template: Template,
    read: ReadTemplate<Result, Context>,
    options: TemplateOptions<Resource, Context> = {},
  ): Registration<Template, TemplateFamily<Resource, Result, Context>> {
    const { complete } = options;
    if (complete && !this.#options.completions) {
      throw new TypeError("complete needs Completions: give Resources the option completions");
    }
    if (complete) assertVariables(new UriTemplate(template.uriTemplate), complete);
    return this.#families.add(template, { ...options, read });
  }

  /**
   * Tells the sessions that have subscribed to a resource, or to a parent of it, that it has changed. Changes of one
   * turn are told once.
   *
   * @param meta - `_meta` of the notification
   * @throws TypeError when the option `subscriptions` is missing
   */
  updated(uri: string, meta?: object): void {
    if (!this.#updates) throw new TypeError("Give Resources the option subscriptions: {}");
    this.#updates.updated(uri, meta);
  }

  #list(params: unknown, context: Context): unknown {
    const families = this.#families.enabledFor(context).filter(({ behaviour }) => behaviour.list);
    const isPrivate = this.#resources.isPrivateFor(context) || this.#families.isPrivateFor(context);
    const single = this.#resources.definitionsFor(context);
    return families.length === 0
      ? this.#resourceList.answer(single, params, isPrivate)
      : this.#listWith(families, single, params, context, isPrivate);
  }

  /** Single resources first; one that several lists name is listed once. */
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
    return this.#resourceList.answer([...all.values()], params, isPrivate);
  }

  /** Reads the resource with a URI, in which other characters than ASCII get encoded. */
  #read(given: string, context: Context): unknown {
    const uri = toAscii(given) ?? given;
    const resource = this.#resources.use(uri, context);
    if (resource === undefined) return this.#readFromFamily(uri, context);
    const result = resource.behaviour(uri, context);
    return isThenable(result)
      ? result.then((contents) => existing(uri, contents as Result | undefined, context))
      : existing(uri, result, context);
  }

  async #readFromFamily(uri: string, context: Context): Promise<Result> {
    for (const { definition, match, behaviour } of this.#familiesOf(uri, context)) {
      this.#families.use(definition.uriTemplate, context);
      const result = await behaviour.read(uri, match, context);
      if (hasContents(result)) return result;
    }
    throw resourceNotFound(context.session.revision, uri);
  }

  /** A single resource stands for its URI even while it is disabled. */
  *#familiesOf(
    uri: string,
    context: Context,
  ): Generator<Matching<Template, TemplateFamily<Resource, Result, Context>>> {
    if (uri.length > this.#maxUriLength || this.#resources.has(uri)) return;
    for (const { definition, behaviour } of this.#families.enabledFor(context)) {
      const template = this.#templates.get(definition)!;
      const match = template.match(uri);
      if (match && (behaviour.upwards || !template.leadsAway(uri, match)))
        yield { definition, behaviour, match };
    }
  }

  /**
   * True when a URI is that of a resource, of a possible resource of a template, or of a parent of
   * one.
   */
  readonly #isKnown = (uri: string, context: Context): boolean =>
    this.#resources.visible(uri, context) !== undefined ||
    !this.#familiesOf(uri, context).next().done ||
    this.#resources.definitionsFor(context).some((resource) => isIn(resource.uri, uri));

  /**
   * Finds the completers of a template, by the template itself or by a URI that it matches; every
   * variable has an entry.
   */
  readonly #completersOf: CompletionSource<Context> = (reference, context) => {
    if (reference.type !== "ref/resource") return undefined;
    const { uri } = reference;
    const family =
      this.#families.visible(uri, context) ?? this.#familiesOf(uri, context).next().value;
    if (!family) return undefined;
    const { variables } = this.#templates.get(family.definition)!;
    const { complete = {} } = family.behaviour;
    const completerOf = (name: string): Completer<Context> | undefined =>
      Object.hasOwn(complete, name) ? complete[name] : undefined;
    return Object.fromEntries(variables.map((name) => [name, completerOf(name)]));
  };
}

interface Matching<Definition, Behaviour> {
  readonly definition: Definition;
  readonly behaviour: Behaviour;
  readonly match: TemplateMatch;
}

const uriOf = ({ uri }: ResourceDefinition): string => uri;
const templateOf = ({ uriTemplate }: ResourceTemplateDefinition): string => uriTemplate;

function existing<Result extends ReadContents>(
  uri: string,
  result: Result | undefined,
  { session }: HandlerContext,
): Result {
  if (hasContents(result)) return result;
  throw resourceNotFound(session.revision, uri);
}

function hasContents<Result extends ReadContents>(result: Result | undefined): result is Result {
  return result !== undefined && result.contents?.length !== 0;
}

/** Absolute, and in characters that a URI can have (RFC 3986). */
function checkUri({ uri }: ResourceDefinition): void {
  if (isUri(uri)) return;
  throw new TypeError(
    `${quote(uri)} is no absolute URI: it needs a scheme, and encoding where due`,
  );
}
