import type { HandlerContext } from "../../api/index.js";
import type {
  Completers,
  ReadContents,
  ResourceDefinition,
  ResourceRegistry,
  ResourceTemplateDefinition,
  TemplateFamily,
} from "../../features/index.js";
import { RESOURCES, TEMPLATES } from "../../features/server/index.js";
import { resourceFamilies, UriTemplate } from "../../features/uri-template/index.js";
import type { AnyTypes, NeutralTypes } from "../neutral-types.js";
import type { ServerContext } from "./context-types.js";
import {
  adaptCompleters,
  type Adapted,
  described,
  type Kind,
  type RegistrationHost,
} from "./registration.js";
import { NAMES, reader, type ReadSpec } from "./resources.js";
import type { ListedResources, ListResources, ResourceTemplateOptions } from "./resource-types.js";

/**
 * A family of resources by the template of their URIs (RFC 6570); for `registerResource`.
 *
 * @example
 * ```ts
 * const files = new ResourceTemplate("file:///{+path}", {
 *   list: () => [{ uri: "file:///notes.txt", name: "notes" }],
 *   complete: { path: (typed) => ["notes.txt"].filter((path) => path.startsWith(typed)) },
 * });
 * server.registerResource("files", files, {}, (uri, { path }) => `Content of ${path}`);
 * ```
 */
export class ResourceTemplate<Types extends NeutralTypes = AnyTypes> {
  /** URI template (RFC 6570). */
  readonly uriTemplate: string;
  /** Matches URIs against the template to find the values of its variables. */
  readonly matcher: UriTemplate;
  readonly list: ListResources<Types> | undefined;
  readonly upwards: boolean | undefined;
  readonly complete: Completers<ServerContext<Types>> | undefined;

  /** @throws TypeError if the template is invalid, or if its variables cannot be distinguished in a URI */
  constructor(uriTemplate: string, options: ResourceTemplateOptions<Types> = {}) {
    this.uriTemplate = uriTemplate;
    this.matcher = new UriTemplate(uriTemplate);
    this.list = options.list;
    this.upwards = options.upwards;
    this.complete = options.complete;
  }

  /**
   * Describes to `registerResource` how families of resources are registered. It is a method of this class so that only
   * servers with families load its code.
   */
  kind(resources: ResourceRegistry, host: RegistrationHost): TemplateKind {
    return {
      family: TEMPLATES,
      feature: RESOURCES.name,
      names: [...NAMES, "template", "uri"],
      adapt: (given) => adaptTemplate(given, host),
      add: (definition, family) => resources.addFamily(definition, family, resourceFamilies),
    };
  }
}

interface TemplateSpec extends ReadSpec {
  readonly template: ResourceTemplate;
}

type Family = TemplateFamily<ResourceDefinition, ReadContents, HandlerContext>;

type TemplateKind = Kind<TemplateSpec, ResourceTemplateDefinition, [family: Family]>;

function adaptTemplate(
  given: TemplateSpec,
  host: RegistrationHost,
): Adapted<ResourceTemplateDefinition, [family: Family]> {
  const { read: _read, cacheHint: _, template, name, ...others } = given;
  const { uriTemplate, matcher, list, upwards, complete } = template;
  const metadata = described(others);
  const call = reader(given, host);
  const family: Family = {
    matcher,
    read: (uri, { values }, context) => call(uri, [values], context),
    list: list && ((context) => listed(list, metadata, host.contextOf(context))),
    upwards,
    complete: adaptCompleters(complete, host.contextOf),
  };
  return {
    definition: { name, ...metadata, uriTemplate },
    given: [family],
    completes: complete !== undefined,
  };
}

async function listed(
  list: ListResources<AnyTypes>,
  metadata: object,
  ctx: ServerContext<AnyTypes>,
): Promise<readonly ResourceDefinition[]> {
  const found: ListedResources<AnyTypes> = await list(ctx);
  const resources: readonly unknown[] = "resources" in found ? found.resources : found;
  return (resources as readonly ResourceDefinition[]).map((one) => ({ ...metadata, ...one }));
}
