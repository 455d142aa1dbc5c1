import { META, type Revision, metaOf } from "../wire/index.js";

/** `_meta` of all requests of a stateless client: the revision, its capabilities, its name (MCP: `_meta`). */
export class RequestMeta {
  readonly #meta: Readonly<Record<string, unknown>>;

  /** @param info - name and version; undefined where requests carry none */
  constructor({ id }: Revision, capabilities: unknown, info: unknown) {
    this.#meta = {
      [META.revision]: id,
      [META.clientCapabilities]: capabilities,
      ...(info === undefined ? {} : { [META.clientInfo]: info }),
    };
  }

  /** The parameters as they travel; members that the caller has put into `_meta` stay, but for the revision. */
  around(params: unknown): Readonly<Record<string, unknown>> {
    const given = metaOf(params);
    const revision = this.#meta[META.revision];
    const meta = given ? { ...this.#meta, ...given, [META.revision]: revision } : this.#meta;
    const around: Record<string, unknown> = { _meta: meta, ...(params as object | undefined) };
    around["_meta"] = meta;
    return around;
  }
}
