import type { Completers } from "../../features/index.js";
import type { ServerContext } from "./context-types.js";
import type { AnyTypes, NeutralTypes, ResourceOf } from "./neutral-types.js";

export interface ResourceTemplateOptions<Types extends NeutralTypes> {
  /** The resources of the family that are listed; what holds for the family holds for them. Default: none. */
  readonly list?: ListResources<Types> | undefined;
  /**
   * True to read also URIs that lead out of the family when they are taken for paths: with `..` segments or, in a value,
   * an encoded slash at the start. Default: false, there are no such resources.
   */
  readonly upwards?: boolean | undefined;
  /** Suggestions for variables, by name. */
  readonly complete?: Completers<ServerContext<Types>> | undefined;
}

export type ListResources<Types extends NeutralTypes> = (
  ctx: ServerContext<Types>,
) => ListedResources<Types> | Promise<ListedResources<Types>>;

export type ListedResources<Types extends NeutralTypes> =
  readonly ResourceOf<Types>[] | { readonly resources: readonly ResourceOf<Types>[] };

/** A family of resources by the template of their URIs. */
export interface ResourceTemplateLike<
  Types extends NeutralTypes,
> extends ResourceTemplateOptions<Types> {
  /** RFC 6570. */
  readonly uriTemplate: string;
}

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
export class ResourceTemplate<
  Types extends NeutralTypes = AnyTypes,
> implements ResourceTemplateLike<Types> {
  readonly uriTemplate: string;
  readonly list: ListResources<Types> | undefined;
  readonly upwards: boolean | undefined;
  readonly complete: Completers<ServerContext<Types>> | undefined;

  constructor(uriTemplate: string, options: ResourceTemplateOptions<Types> = {}) {
    this.uriTemplate = uriTemplate;
    this.list = options.list;
    this.upwards = options.upwards;
    this.complete = options.complete;
  }
}
