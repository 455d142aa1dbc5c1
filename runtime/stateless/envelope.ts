import { META, type Revision, metaOf } from "../wire/index.js";

/** Puts into each request what a handshake would have said: the revision, and who asks (MCP: `_meta`). */
export class Envelope {
  readonly #meta: Readonly<Record<string, unknown>>;

  /** @param info - undefined when it is not to be told */
  constructor({ id }: Revision, capabilities: unknown, info: unknown) {
    this.#meta = {
      [META.revision]: id,
      [META.clientCapabilities]: capabilities,
      ...(info === undefined ? {} : { [META.clientInfo]: info }),
    };
  }

  /** The parameters as they travel; what the caller has put into `_meta` stays, but for the revision. */
  around(params: unknown): Readonly<Record<string, unknown>> {
    const given = metaOf(params);
    const revision = this.#meta[META.revision];
    const meta = given ? { ...this.#meta, ...given, [META.revision]: revision } : this.#meta;
    const around: Record<string, unknown> = { _meta: meta, ...(params as object | undefined) };
    around["_meta"] = meta;
    return around;
  }
}
