import type { ConnectOptions, McpClient } from "@mcp-codegen/universal";

/** The context that the suite passes to the program in addition to the URL. */
export type Given = Readonly<Record<string, unknown>>;

/** The program's behaviour in one scenario of the suite. */
export interface Scenario {
  /** The client's options, if the scenario is about them. */
  readonly options?: ConnectOptions;
  /** Exchanges messages with the suite's server over an open connection. */
  readonly run: (client: McpClient, given: Given) => Promise<void>;
}
