import type { ConnectOptions, McpClient } from "@mcp-codegen/universal";

/** Context that the suite passes to the program besides the URL. */
export type Given = Readonly<Record<string, unknown>>;

/** Behaviour of the program in one scenario of the suite. */
export interface Scenario {
  /** Options of the client, if the scenario is about them. */
  readonly options?: ConnectOptions;
  /** Exchanges messages with the suite's server, over an open connection. */
  readonly run: (client: McpClient, given: Given) => Promise<void>;
}
