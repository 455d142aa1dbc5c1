export interface Template {
  readonly name: string;
  /** Description for menus. */
  readonly hint: string;
  /** A description of the project for coding agents. */
  readonly headline: string;
  /** The folders in `templates/scaffold` that make up the project. `{flavor}` stands for `universal` or `pinned`. */
  readonly layers: readonly string[];
  /** Additional folders for authorization; absent if the template does not support it. */
  readonly authorization?: readonly string[];
}

export const TEMPLATES: readonly Template[] = [
  {
    name: "stdio-server",
    hint: "a server that its client starts as a process",
    headline: "An MCP server over stdio. stdout belongs to the protocol; log with `console.error`.",
    layers: ["common", "node", "server", "server.{flavor}", "stdio-server"],
  },
  {
    name: "http-server",
    hint: "a server over HTTP, on Node",
    headline: "An MCP server over HTTP, on Node.",
    layers: ["common", "node", "server", "server.{flavor}", "http", "http-server"],
    authorization: ["http-server.auth"],
  },
  {
    name: "fetch-server",
    hint: "a server over HTTP, on Workers, Deno and Bun",
    headline:
      "An MCP server as a `fetch` handler, for Workers, Deno and Bun: nothing in `src` may use Node's API.",
    layers: ["common", "server", "server.{flavor}", "http", "fetch-server"],
  },
  {
    name: "client",
    hint: "a client for the command line",
    headline: "An MCP client for the command line.",
    layers: ["common", "node", "client"],
    authorization: [],
  },
];
