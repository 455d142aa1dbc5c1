import type { HandlerContext } from "../api/index.js";
import type { Registration } from "./registry-types.js";
import type {
  ReadContents,
  ReadTemplate,
  ResourceDefinition,
  ResourcesOptions,
  ResourceTemplateDefinition,
  TemplateFamily,
  TemplateOptions,
} from "./resource-types.js";
import { resourceFamilies } from "./resource-families.js";
import { ResourceRegistry } from "./resources.js";

/**
 * Resources of a server, single ones and families of them. Lists and reads them, and serves subscriptions to them.
 * Pass it with the option `features` (MCP: resources).
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
 * @typeParam Resource - the revision's definition of a resource
 * @typeParam Template - the revision's definition of a resource template
 * @typeParam Result - `ReadResourceResult` of the revision
 * @typeParam Context - parameter of handlers: `ServerContext` of the revision
 */
export class Resources<
  Resource extends ResourceDefinition = ResourceDefinition,
  Template extends ResourceTemplateDefinition = ResourceTemplateDefinition,
  Result extends ReadContents = ReadContents,
  Context extends HandlerContext = HandlerContext,
> extends ResourceRegistry<Resource, Template, Result, Context> {
  /**
   * Creates the feature.
   * @throws TypeError if the page size is invalid
   */
  constructor(options: ResourcesOptions<Context> = {}) {
    super(options);
  }

  /**
   * Adds a family of resources. A URI that is not that of a single resource is read by the first family whose template
   * matches it and that returns contents.
   *
   * @throws TypeError if the template is invalid or was already added, or if there are completers for variables that it
   *   does not have
   */
  addTemplate(
    template: Template,
    read: ReadTemplate<Result, Context>,
    options: TemplateOptions<Resource, Context> = {},
  ): Registration<Template, [family: TemplateFamily<Resource, Result, Context>]> {
    return this.addFamily(template, { ...options, read }, resourceFamilies);
  }
}
