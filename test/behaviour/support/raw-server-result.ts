import type { Package } from "./packages.js";

/** Creates the opening result of a server that has everything its revision has. */
export function initializeResult({ revision }: Package, given: object = {}): object {
  const completions = revision.methods.get("completion/complete")?.capability
    ? { completions: {} }
    : {};
  return {
    protocolVersion: revision.id,
    capabilities: {
      tools: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
      prompts: { listChanged: true },
      logging: {},
      ...completions,
    },
    serverInfo: { name: "raw", version: "1.0.0" },
    ...given,
  };
}
