import { type Method, missingCapability, unmetConditions } from "@mcp-codegen/runtime";
import type { Scope } from "./scope.js";
import { below, isMembers, member, type Members } from "../tape/json-value.js";

/** The capabilities of both sides, undefined while they are not known. */
export interface DeclaredCapabilities {
  readonly client: unknown;
  readonly server: unknown;
}

/**
 * Returns the capability that a client's request lacks. For a server's request, reports the missing capability instead.
 */
export function missing(
  scope: Scope,
  row: Method | undefined,
  declared: DeclaredCapabilities,
): string | undefined {
  if (row === undefined) return undefined;
  const path = missingCapability(row, scope.from, declared);
  if (path === undefined) return undefined;
  const owner = path.split(".")[0] as "client" | "server";
  if (declared[owner] === undefined) return undefined;
  // A server is at fault if it sends such a request. A client's request is judged by the response to it.
  if (scope.from === "client") return path;
  scope.report("capability-undeclared", "/method", `${path}, declared`, row.method);
  return undefined;
}

export function judgeConditions(
  scope: Scope,
  row: Method,
  params: Members,
  declared: DeclaredCapabilities,
  pointer = "/params",
): void {
  for (const { member: name, capability, level, orAbsent, unmet } of unmetConditions(
    row.conditions ?? [],
    params,
    scope.from,
    declared,
  )) {
    const [owner = ""] = capability.split(".");
    const known = owner === "client" || owner === "server" ? declared[owner] : undefined;
    // It is not a fault to send a member that has no effect without the capability.
    if (known === undefined || unmet === "drop") continue;
    const value = name.split(".").reduce<unknown>(member, params);
    scope.report(
      level === "should" ? "capability-advised" : "capability-undeclared",
      `${pointer}/${name.replaceAll(".", "/")}`,
      `${capability}, declared`,
      value ?? (orAbsent ? "absent" : undefined),
    );
  }
}

/** Matches extension ids, which have the form of `_meta` keys with a prefix. */
const EXTENSION_ID =
  /^(?:[a-z](?:[a-z0-9-]*[a-z0-9])?\.)*[a-z](?:[a-z0-9-]*[a-z0-9])?\/[a-z0-9](?:[\w.-]*[a-z0-9])?$/i;

export function judgeExtensions(scope: Scope, capabilities: unknown, pointer: string): void {
  const extensions = member(capabilities, "extensions");
  for (const id of Object.keys(isMembers(extensions) ? extensions : {})) {
    if (EXTENSION_ID.test(id)) continue;
    const place = below(`${pointer}/extensions`, id);
    scope.report("extension-id", place, "an id such as com.example/name", id);
  }
}
