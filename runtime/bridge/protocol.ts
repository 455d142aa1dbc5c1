import type { Method, MethodFamily } from "@mcp-codegen/runtime";
import { families } from "@mcp-codegen/universal/families";
import { McpServer } from "@mcp-codegen/universal/server";

/** All revisions, newest first. */
export const { revisions: REVISIONS } = new McpServer({ name: "revisions", version: "0.0.0" });

export const OFFERED: readonly MethodFamily[] = (families as readonly MethodFamily[]).filter(
  ({ from }) => from === "client",
);

export const CHANGING = OFFERED.filter(({ changed, templatesOf }) => changed && !templatesOf);

const newest = REVISIONS[0]!.methods;

/** The requests that servers send to clients. */
export const QUESTIONS: readonly Method[] = [...newest.values()].filter(
  ({ from, kind, role }) => from === "server" && kind === "request" && role === undefined,
);

export const ABILITIES: readonly string[] = QUESTIONS.flatMap(
  ({ capability }) => capability?.split(".")[1] ?? [],
);

export function isDefined(method: string): boolean {
  return REVISIONS.some(({ methods }) => methods.has(method));
}

/** Returns true if the server may send questions during the request, which includes every custom request. */
export function mayAsk(method: unknown): boolean {
  return typeof method !== "string" || newest.get(method)?.inputResult !== undefined;
}

export function capabilityOf({ capability }: MethodFamily): string {
  return capability!.split(".")[1]!;
}
