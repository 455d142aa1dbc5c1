import type { Method, MethodFamily } from "@mcp-codegen/runtime";
import { families } from "@mcp-codegen/universal/families";
import { McpServer } from "@mcp-codegen/universal/server";

/** All revisions, the newest first. */
export const { revisions: REVISIONS } = new McpServer({ name: "revisions", version: "0.0.0" });

/** Lists that servers offer. */
export const OFFERED: readonly MethodFamily[] = (families as readonly MethodFamily[]).filter(
  ({ from }) => from === "client",
);

/** Lists of servers that can change. */
export const CHANGING = OFFERED.filter(({ changed, templatesOf }) => changed && !templatesOf);

const newest = REVISIONS[0]!.methods;

/** Requests that servers send to clients. */
export const QUESTIONS: readonly Method[] = [...newest.values()].filter(
  ({ from, kind, role }) => from === "server" && kind === "request" && role === undefined,
);

/** Capabilities of clients that these requests need: `elicitation`. */
export const ABILITIES: readonly string[] = QUESTIONS.flatMap(
  ({ capability }) => capability?.split(".")[1] ?? [],
);

/** True for a method that some revision defines. */
export function isDefined(method: string): boolean {
  return REVISIONS.some(({ methods }) => methods.has(method));
}

/** True for a request during which servers may ask; they may during requests that no revision defines. */
export function mayAsk(method: unknown): boolean {
  return typeof method !== "string" || newest.get(method)?.inputResult !== undefined;
}

/** Capability of a server that offers a list: `tools`. */
export function capabilityOf({ capability }: MethodFamily): string {
  return capability!.split(".")[1]!;
}
