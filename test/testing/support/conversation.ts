import type { TapeLine } from "@mcp-codegen/testing/tape";
import { type Finding, judgeTape, type JudgeOptions } from "@mcp-codegen/testing/checks";

export type Sent = readonly [from: "client" | "server", message: unknown, more?: Partial<TapeLine>];

/** Creates a message from the client. */
export const c = (message: object | readonly unknown[], more?: Partial<TapeLine>): Sent => [
  "client",
  Array.isArray(message) ? message : { jsonrpc: "2.0", ...message },
  more ?? {},
];

/** Creates a message from the server. */
export const s = (message: object | readonly unknown[], more?: Partial<TapeLine>): Sent => [
  "server",
  Array.isArray(message) ? message : { jsonrpc: "2.0", ...message },
  more ?? {},
];

/** Creates a message as it is, which need not be an object. */
export const raw = (from: "client" | "server", message: unknown): Sent => [from, message];

/** Creates text on standard output. */
export const text = (line: string): Sent => ["server", undefined, { text: line }];

export const SESSION = "2025-11-25";
export const STATELESS = "2026-07-28";

export const serverCapabilities = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  prompts: {},
  logging: {},
  completions: {},
};
export const clientCapabilities = {
  roots: { listChanged: true },
  sampling: {},
  elicitation: { form: {} },
};

export interface Opening {
  readonly version?: string;
  readonly client?: object;
  readonly server?: object;
  readonly result?: object;
}

/** Returns a session's handshake, with id 1. */
export function opened(options: Opening = {}): Sent[] {
  const version = options.version ?? SESSION;
  return [
    c({
      id: 1,
      method: "initialize",
      params: {
        protocolVersion: version,
        capabilities: options.client ?? clientCapabilities,
        clientInfo: { name: "client", version: "1" },
      },
    }),
    s({
      id: 1,
      result: {
        protocolVersion: version,
        capabilities: options.server ?? serverCapabilities,
        serverInfo: { name: "server", version: "1" },
        ...options.result,
      },
    }),
    c({ method: "notifications/initialized" }),
  ];
}

/** Returns the `_meta` of a stateless request. */
export function meta(more: object = {}): Record<string, unknown> {
  return {
    "io.modelcontextprotocol/protocolVersion": STATELESS,
    "io.modelcontextprotocol/clientCapabilities": { elicitation: {}, sampling: {}, roots: {} },
    "io.modelcontextprotocol/clientInfo": { name: "client", version: "1" },
    ...more,
  };
}

export function linesOf(sent: readonly Sent[]): TapeLine[] {
  return sent.map(([from, message, more], index) => ({
    n: index + 1,
    t: index,
    from,
    conversation: 1,
    ...(message !== undefined && { message }),
    ...more,
  }));
}

export async function findingsOf(
  sent: readonly Sent[],
  options: JudgeOptions = {},
): Promise<Finding[]> {
  const found: Finding[] = [];
  for await (const finding of judgeTape(linesOf(sent), options)) found.push(finding);
  return found;
}

/** Returns the findings in short form: `id n pointer`. */
export async function shortFindings(
  sent: readonly Sent[],
  options: JudgeOptions = {},
): Promise<string[]> {
  return (await findingsOf(sent, options)).map(({ id, n, pointer }) =>
    `${id} ${n ?? ""} ${pointer}`.trim(),
  );
}
