import { type Trace, type Validator, isObject, quote } from "../../wire/index.js";
import { toBase64 } from "../../ground/index.js";
import { summarize } from "../../engine/index.js";
import type { Freshness } from "../../api/index.js";
import { OLDER_MEMBER, VIEW_MIME_TYPE } from "./view-uri.js";

/** Types of the extension, as they were generated from its schema. */
export interface ViewTypes {
  readonly tool: object;
  readonly resource: object;
}

/** Operations of a server that views need: an `McpServer` has them. */
export interface AppsServer {
  registerExtension(id: string, extension?: never): void;
  registerResource(name: string, uri: string, config: never, read: never): unknown;
}

/** Part of a handler's context that tells what the client can show. */
export interface ViewContext {
  readonly extension: (id: string) => Readonly<Record<string, unknown>> | undefined;
}

/** Metadata of a view, and of the resource that it is. */
export type ViewConfig<Types extends ViewTypes> = Types["resource"] & {
  readonly title?: string;
  readonly description?: string;
  readonly cacheHint?: Freshness | undefined;
};

type Read<Context> = (uri: URL, ctx: Context) => string | Uint8Array | Promise<string | Uint8Array>;

/** Views that the tools of a server open in hosts (MCP Apps). */
export class AppViews<Types extends ViewTypes, Context = ViewContext> {
  readonly #id: string;
  readonly #server: AppsServer;
  readonly #validators: { readonly tool: Validator; readonly resource: Validator };

  /** @throws TypeError when the server has the extension already, or has been connected */
  constructor(
    id: string,
    server: AppsServer,
    validators: { readonly tool: Validator; readonly resource: Validator },
  ) {
    this.#id = id;
    this.#server = server;
    this.#validators = validators;
    server.registerExtension(id);
  }

  /**
   * Adds a view: a page that hosts show in a sandbox. A host lets it load and connect to nothing but what `csp` names.
   *
   * @param uri - `ui://…`
   * @param read - gives the HTML, whole
   * @throws TypeError for another scheme, and for metadata that is not as the extension has it
   */
  view(name: string, uri: string, config: ViewConfig<Types>, read: Read<Context>): void {
    if (!uri.startsWith("ui://")) throw new TypeError(`A view has a URI ui://…, not ${quote(uri)}`);
    const { title, description, cacheHint, ...ui } = config;
    assertValid(this.#validators.resource, ui, `the view ${quote(name)}`);
    const meta = Object.keys(ui).length > 0 ? { _meta: { ui } } : {};
    const shown = {
      mimeType: VIEW_MIME_TYPE,
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      ...(cacheHint && { cacheHint }),
      ...meta,
    };
    const contents = async (url: URL, ctx: Context): Promise<readonly object[]> => {
      const html = await read(url, ctx);
      const content = typeof html === "string" ? { text: html } : { blob: toBase64(html) };
      return [{ uri, mimeType: VIEW_MIME_TYPE, ...content, ...meta }];
    };
    this.#server.registerResource(name, uri, shown as never, contents as never);
  }

  /**
   * `_meta` of a tool that opens a view, or that only views or only the model may call. Such a tool still gives a result that
   * makes sense without a view.
   *
   * @throws TypeError for metadata that is not as the extension has it
   */
  toolMeta(ui: Types["tool"]): { readonly ui: Types["tool"]; readonly "ui/resourceUri"?: string } {
    assertValid(this.#validators.tool, ui, "the view of a tool");
    const { resourceUri: uri } = ui as { readonly resourceUri?: string };
    if (uri !== undefined && !uri.startsWith("ui://")) {
      throw new TypeError(`A view has a URI ui://…, not ${quote(uri)}`);
    }
    return { ui, ...(uri !== undefined && { [OLDER_MEMBER]: uri }) };
  }

  /** True when the client that asks has declared that it shows views. */
  isShown(ctx: ViewContext): boolean {
    const settings = ctx.extension(this.#id);
    const types = isObject(settings) ? settings["mimeTypes"] : undefined;
    return Array.isArray(types) && types.includes(VIEW_MIME_TYPE);
  }
}

function assertValid(validate: Validator, value: unknown, whose: string): void {
  const trace: Trace = [];
  if (validate(value, trace)) return;
  throw new TypeError(`The metadata of ${whose}: ${summarize(trace)}`);
}
