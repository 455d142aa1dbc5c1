import type { ConnectOptions, McpClient } from "@mcp-codegen/universal";

/** What the suite passes to the program beside the URL. */
export type Given = Readonly<Record<string, unknown>>;

/** What the program does in one scenario of the suite. */
export interface Scenario {
  /** What the client can do for the server, if the scenario is about that. */
  readonly options?: ConnectOptions;
  /** Talks to the suite's server, over a connection that is there. */
  readonly run: (client: McpClient, given: Given) => Promise<void>;
}
