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
import { whenDone } from "../ground/index.js";
import { assertServed, DEFAULT_MAX_URI_LENGTH } from "./completions/completers.js";
import { announcement } from "./announcement.js";
import { asPrivate, Registry } from "./registry.js";
import type { AccessRule, Family, Registration } from "./registry-types.js";
import type {
  FamiliesHost,
  MakeFamilies,
  TemplateFamily,
  ReadContents,
  ReadResource,
  ResourceDefinition,
  ResourceFamilies,
  ResourcesOptions,
  ResourceTemplateDefinition,
} from "./resource-types.js";
import { type ResourceUpdates, resourceUpdates, SUBSCRIBE } from "./resource-updates.js";

export const RESOURCES: Family = {
  noun: "resource",
  list: "resources/list",
  name: "resources",
  key: "uri",
  changed: "notifications/resources/list_changed",
};

export const TEMPLATES: Family = {
  ...RESOURCES,
  noun: "resource template",
  list: "resources/templates/list",
  name: "resourceTemplates",
  key: "uriTemplate",
};

/**
 * The resources of a server, both single ones and families. The code for families is passed with the first family, so
 * that it need not be loaded earlier.
 */
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
  readonly #templates: FamiliesHost<Resource, Template, Result, Context>["templates"];
  #families: ResourceFamilies<Resource, Template, Result, Context> | undefined;
  readonly #updates: ResourceUpdates<Context> | undefined;
  #host: FeatureHost | undefined;

  /**
   * Creates the registry.
   * @throws TypeError if the page size is invalid
   */
  constructor(options: ResourcesOptions<Context>) {
    const { completions, subscriptions, maxUriLength = DEFAULT_MAX_URI_LENGTH } = options;
    this.#options = options;
    this.#maxUriLength = maxUriLength;
    const changed = announcement(RESOURCES.changed);
    const checked = ({ uri }: Resource, read: ReadResource<Result, Context>): typeof read => {
      assertUri(uri);
      return read;
    };
    this.#resources = new Registry(RESOURCES, options, checked, changed);
    this.#templates = new Registry(
      TEMPLATES,
      options,
      (template, family) => this.#families!.compile(template, family),
      changed,
    );
    this.#updates =
      subscriptions &&
      resourceUpdates(subscriptions, maxUriLength, {
        definitionsFor: (context) => this.#resources.definitionsFor(context),
        has: (uri, context) =>
          this.#resources.use(uri, context) !== undefined ||
          this.#families?.isKnown(uri, context) === true,
        hasRules: () => this.#resources.hasRules || this.#templates.hasRules,
        isKept: (uri, context) => this.#isKept(uri, context),
      });
    this.handlers = {
      "resources/list": (params, context) => this.#list(params, context as Context),
      "resources/templates/list": (params, context) => this.#templates.list(params, context),
      "resources/read": (params, context) =>
        this.#read((params as { uri: string }).uri, context as Context),
      ...this.#updates?.handlers,
    };
    this.audiences = this.#updates?.audiences;
    this.lasting = this.#updates && { "resources/subscribe": "resources/unsubscribe" };
    completions?.source((reference, context) =>
      reference.type === "ref/resource"
        ? this.#families?.completersOf(reference.uri, context)
        : undefined,
    );
  }

  missed(): readonly BusEvent[] {
    return this.#updates?.missed() ?? [];
  }

  attach(host: FeatureHost): void {
    assertServed(this.#options.completions, host);
    this.#resources.attach(host);
    this.#templates.check(host);
    this.#updates?.attach(host);
    this.#host = host;
  }

  listen(filter: Filter, context: HandlerContext): Promise<Listening | undefined> | undefined {
    return this.#updates?.listen(filter, context as Context);
  }

  /**
   * Adds a resource and notifies clients that the list has changed.
   *
   * @throws TypeError if the resource is invalid, or its URI is already in use
   */
  add(
    resource: Resource,
    read: ReadResource<Result, Context>,
  ): Registration<Resource, [read: ReadResource<Result, Context>]> {
    return this.#resources.add(resource, read);
  }

  /**
   * Adds a family of resources, as `Resources.addTemplate` does.
   * @param make - creates the object that serves families; called for the first family
   */
  addFamily(
    template: Template,
    family: TemplateFamily<Resource, Result, Context>,
    make: MakeFamilies,
  ): Registration<Template, [family: TemplateFamily<Resource, Result, Context>]> {
    this.#families ??= make({
      resources: this.#resources,
      templates: this.#templates,
      maxUriLength: this.#maxUriLength,
      completions: this.#options.completions,
    });
    return this.#templates.add(template, family);
  }

  /**
   * Notifies the sessions that have subscribed to a resource, or to one of its parents, that it has changed. Changes to
   * one resource in the same synchronous run result in one notification.
   *
   * @param meta - the notification's `_meta`
   * @throws TypeError if the `subscriptions` option is missing
   */
  updated(uri: string, meta?: object): void {
    if (!this.#updates) throw new TypeError("Resources needs the option subscriptions: {}");
    this.#updates.updated(uri, meta);
  }

  /**
   * Returns true if access rules hide the resource. If a rule throws, it counts as hiding the resource, and its error
   * is reported, so that the other subscribers are still notified.
   */
  #isKept(uri: string, context: Context): boolean {
    try {
      return this.#resources.has(uri)
        ? this.#resources.isKeptFrom(uri, context)
        : this.#families?.isKept(uri, context) === true;
    } catch (error) {
      this.#host?.report(error as Error);
      return true;
    }
  }

  #list(params: unknown, context: Context): unknown {
    const single = this.#resources.definitionsFor(context);
    const isPrivate =
      this.#resources.isPrivateFor(context) || this.#templates.isPrivateFor(context);
    return whenDone(this.#families?.listed(single, context) ?? single, (listed) =>
      this.#resources.list(params, context, listed, isPrivate),
    );
  }

  #read(given: string, context: Context): unknown {
    const uri = toAscii(given) ?? given;
    const resource = this.#resources.use(uri, context);
    if (resource !== undefined) {
      const { behaviour, rule } = resource;
      return whenDone(behaviour(uri, context), (result) => existing(uri, result, rule, context));
    }
    return whenDone(this.#families?.read(uri, context), (found) =>
      existing(uri, found?.result, found?.rule, context),
    );
  }
}

function existing<Result extends ReadContents>(
  uri: string,
  result: Result | undefined,
  rule: AccessRule | undefined,
  { session: { revision } }: HandlerContext,
): Result {
  if (result === undefined || result.contents?.length === 0) throw resourceNotFound(revision, uri);
  return rule !== undefined && revision.traits.cacheable ? asPrivate(result) : result;
}

function assertUri(uri: string): void {
  if (isUri(uri)) return;
  throw new TypeError(
    `${quote(uri)} is not an absolute URI: it needs a scheme, and percent-encoding`,
  );
}
