import type { Completers } from "../../features/index.js";
import { UriTemplate } from "../../features/uri-template/index.js";
import type { AnyTypes, NeutralTypes } from "../neutral-types.js";
import type { ServerContext } from "./context-types.js";
import type { ListResources, ResourceTemplateOptions } from "./resource-types.js";

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
  /** RFC 6570. */
  readonly uriTemplate: string;
  /** Finds the values of the variables in a URI. */
  readonly matcher: UriTemplate;
  readonly list: ListResources<Types> | undefined;
  readonly upwards: boolean | undefined;
  readonly complete: Completers<ServerContext<Types>> | undefined;

  /** @throws TypeError for an invalid template, and for one whose variables cannot be distinguished in a URI */
  constructor(uriTemplate: string, options: ResourceTemplateOptions<Types> = {}) {
    this.uriTemplate = uriTemplate;
    this.matcher = new UriTemplate(uriTemplate);
    this.list = options.list;
    this.upwards = options.upwards;
    this.complete = options.complete;
  }
}
