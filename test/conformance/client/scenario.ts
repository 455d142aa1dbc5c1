import type { Client } from "@mcp-codegen/2025-11-25";
import type { Feature } from "@mcp-codegen/runtime";

/** What the program does in one scenario of the suite. */
export interface Scenario {
  /** What the client can do for the server, if the scenario is about that. */
  readonly features?: readonly Feature[];
  /** Talks to the suite's server, over a connection that is there. */
  readonly run: (client: Client) => Promise<void>;
}
