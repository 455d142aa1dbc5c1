import { AT, isStateless } from "../../checks/check.js";
import type { CheckId } from "../../checks/index.js";
import { listenLocally, refuse } from "../../record/local-http.js";
import type { Revision } from "@mcp-codegen/runtime";
import type { Members } from "../../tape/json-value.js";

/** The addresses that no client may request, each with the check that it violates. */
export const TRAPS: Readonly<Record<string, CheckId>> = {
  "/icon.png": "client-icon",
  "/schema.json": "client-reference",
  "/visit": "client-visit",
};

/** A server of addresses that no client may request, on a port of its own. */
export interface Trap {
  readonly origin: string;
  /** The paths that have been requested. */
  readonly visited: Set<string>;
  /** True once the client has refused to open the page of an elicitation. */
  isRefused?: boolean;
  close(): Promise<void>;
}

export async function openTrap(): Promise<Trap> {
  const visited = new Set<string>();
  const listener = await listenLocally(0, ({ url = "" }, response) => {
    visited.add(url);
    refuse(response, 404);
  });
  return { ...listener, visited };
}

/** Returns a tool whose icon and, in stateless revisions, whose schema have addresses of a trap. */
export function trappedTool({ origin }: Trap, revision: Revision): readonly Members[] {
  if (!AT.icons(revision)) return [];
  const text = isStateless(revision) ? { $ref: `${origin}/schema.json` } : { type: "string" };
  return [
    {
      name: "trapped",
      description: "Names addresses that no client may request by itself",
      inputSchema: { type: "object", properties: { text } },
      icons: [{ src: `${origin}/icon.png`, mimeType: "image/png" }],
    },
  ];
}
