import type { Method, MethodFamily } from "@mcp-codegen/runtime";
import { families } from "@mcp-codegen/universal/families";
import { McpServer } from "@mcp-codegen/universal/server";

/** All revisions, the newest first. */
export const { revisions: REVISIONS } = new McpServer({ name: "revisions", version: "0.0.0" });

/** Families of the lists that servers offer. */
export const OFFERED: readonly MethodFamily[] = (families as readonly MethodFamily[]).filter(
  ({ from }) => from === "client",
);

/** Families of the lists that have a change notification. */
export const CHANGING = OFFERED.filter(({ changed, templatesOf }) => changed && !templatesOf);

const newest = REVISIONS[0]!.methods;

/** Requests that servers send to clients. */
export const QUESTIONS: readonly Method[] = [...newest.values()].filter(
  ({ from, kind, role }) => from === "server" && kind === "request" && role === undefined,
);

/** Capabilities of clients that these requests require: `elicitation`. */
export const ABILITIES: readonly string[] = QUESTIONS.flatMap(
  ({ capability }) => capability?.split(".")[1] ?? [],
);

/** True if at least one revision defines the method. */
export function isDefined(method: string): boolean {
  return REVISIONS.some(({ methods }) => methods.has(method));
}

/**
 * True if the server may send questions during a request: one that the newest revision allows to return questions, or
 * one that no revision defines.
 */
export function mayAsk(method: unknown): boolean {
  return typeof method !== "string" || newest.get(method)?.inputResult !== undefined;
}

/** Returns the name of the capability of servers that offer a list: `tools`. */
export function capabilityOf({ capability }: MethodFamily): string {
  return capability!.split(".")[1]!;
}
