/** Views that tools open in hosts (MCP Apps). */
import { isObject } from "../codegen.js";
import type { Freshness, Trace, Validator } from "../index.js";

/** The MIME type of views. A host that declares it can show them (MCP Apps: UI resources). */
export const VIEW_MIME_TYPE = "text/html;profile=mcp-app";

/** The `_meta` member of a tool in which older hosts expect the view's URI. */
const OLDER_MEMBER = "ui/resourceUri";

/** The metadata types of tools and view resources, as generated from the extension's schema. */
export interface ViewTypes {
  readonly tool: object;
  readonly resource: object;
}

/** The server methods that views need. An `McpServer` has them. */
export interface AppsServer {
  registerExtension(id: string, extension?: undefined): void;
  registerResource(
    name: string,
    uri: string,
    config: object,
    read: (uri: URL, ctx: never) => unknown,
  ): unknown;
}

/** The part of a handler's context that tells what the client declared about its extensions. */
export interface ViewContext {
  readonly extension: (id: string) => Readonly<Record<string, unknown>> | undefined;
}

/** The metadata of a view and its resource. */
export type ViewConfig<Types extends ViewTypes> = Types["resource"] & {
  readonly title?: string;
  readonly description?: string;
  readonly cacheHint?: Freshness | undefined;
};

type Read<Context> = (uri: URL, ctx: Context) => string | Uint8Array | Promise<string | Uint8Array>;

/** The views that a server's tools open in hosts (MCP Apps). */
export class AppViews<Types extends ViewTypes, Context = ViewContext> {
  readonly #id: string;
  readonly #server: AppsServer;
  readonly #validators: { readonly tool: Validator; readonly resource: Validator };

  /** @throws TypeError if the server already has the extension, or has been connected */
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
   * Registers a view: a page that hosts show in a sandbox. It can only load from and connect to the domains in `csp`.
   *
   * @param uri - the view's URI, `ui://…`
   * @param read - returns the complete HTML document
   * @throws TypeError if the URI has a different scheme or the metadata is invalid
   */
  view(name: string, uri: string, config: ViewConfig<Types>, read: Read<Context>): void {
    assertIsView(uri);
    const { title, description, cacheHint, ...ui } = config;
    assertValid(this.#validators.resource, ui, `the view ${JSON.stringify(name)}`);
    assertDomains((ui as { readonly csp?: object }).csp ?? {}, name);
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
      const content = typeof html === "string" ? { text: html } : { blob: base64(html) };
      return [{ uri, mimeType: VIEW_MIME_TYPE, ...content, ...meta }];
    };
    this.#server.registerResource(name, uri, shown, contents);
  }

  /**
   * Returns the `_meta` of a tool that opens a view, or that may be called only by views or only by the model. The
   * tool's result should also be useful without the view.
   *
   * @throws TypeError if the metadata is invalid
   */
  toolMeta(ui: Types["tool"]): {
    readonly ui: Types["tool"];
    /** @deprecated For hosts that read the URI here. Use `ui.resourceUri`. */
    readonly "ui/resourceUri"?: string;
  } {
    assertValid(this.#validators.tool, ui, "the view of a tool");
    const { resourceUri: uri } = ui as { readonly resourceUri?: string };
    if (uri !== undefined) assertIsView(uri);
    return { ui, ...(uri !== undefined && { [OLDER_MEMBER]: uri }) };
  }

  /** Returns true if the client has declared that it can show views. */
  isShown(ctx: ViewContext): boolean {
    const types = ctx.extension(this.#id)?.["mimeTypes"];
    return Array.isArray(types) && types.includes(VIEW_MIME_TYPE);
  }
}

/** Returns the URI of the view that a tool opens, or undefined if the tool has no view. */
export function viewUriOf({ _meta: meta }: { readonly _meta?: unknown }): string | undefined {
  if (!isObject(meta)) return undefined;
  const { ui } = meta;
  const uri = (isObject(ui) ? ui["resourceUri"] : undefined) ?? meta[OLDER_MEMBER];
  return typeof uri === "string" ? uri : undefined;
}

function base64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

function assertIsView(uri: string): void {
  if (!/^ui:\/\/[^/?#\s]/.test(uri)) {
    throw new TypeError(`The URI of a view must begin with ui://, not ${JSON.stringify(uri)}`);
  }
}

/**
 * A source in a content security policy, without separators. Hosts copy domains into their policies, where a separator
 * would start another directive.
 */
const SOURCE =
  /^(?:https?|wss?):\/\/(?:\*\.)?[a-z\d](?:[a-z\d.-]*[a-z\d])?(?::(?:\d{1,5}|\*))?(?:\/[\w.~%!$&()*+=:@/-]*)?$/i;

function assertDomains(csp: object, name: string): void {
  for (const [list, domains] of Object.entries(csp)) {
    for (const domain of Array.isArray(domains) ? domains : []) {
      if (typeof domain === "string" && SOURCE.test(domain)) continue;
      const whose = `${list} of the view ${JSON.stringify(name)}`;
      const example = "https://api.example.com or https://*.example.com";
      throw new TypeError(
        `${JSON.stringify(domain)} in ${whose} is not an origin such as ${example}`,
      );
    }
  }
}

function assertValid(validate: Validator, value: unknown, whose: string): void {
  const trace: Trace = [];
  if (validate(value, trace)) return;
  const problems = trace.map(({ path, expected, received }) =>
    [path, `expected ${expected}, received ${received}`].filter(Boolean).join(": "),
  );
  throw new TypeError(`The metadata of ${whose}: ${problems.join("; ")}`);
}
