import type { Revision } from "@mcp-codegen/runtime";
import type { ConnectOptions, StdioTarget } from "@mcp-codegen/runtime/facade/client";
import type { AnyTypes, McpServerBase } from "@mcp-codegen/runtime/facade/server";

/** Client of a server, as far as reading the server goes. */
export interface ReadingClient {
  readonly revision: string;
  readonly server: {
    readonly info?: unknown;
    readonly capabilities?: unknown;
    readonly instructions?: string | undefined;
  };
  tools(options: object): AsyncIterable<object>;
  prompts(options: object): AsyncIterable<object>;
  resources(options: object): AsyncIterable<object>;
  resourceTemplates(options: object): AsyncIterable<object>;
  close(): Promise<void>;
}

/**
 * Parts of `@mcp-codegen/universal` that commands need. That package is generated: this generator has to compile before it
 * is there.
 */
export interface Universal {
  readonly revisions: readonly Revision[];
  readonly connect: (target: URL | StdioTarget, options: ConnectOptions) => Promise<ReadingClient>;
  readonly McpServer: new (
    info: { readonly name: string; readonly version: string },
    options: object,
  ) => McpServerBase<AnyTypes>;
  readonly ResourceTemplate: new (uriTemplate: string) => object;
}

const PACKAGE: string = "@mcp-codegen/universal";

/** Loads the package; rejects with ERR_MODULE_NOT_FOUND where it is not installed. */
export async function loadUniversal(): Promise<Universal> {
  return (await import(PACKAGE)) as Universal;
}
