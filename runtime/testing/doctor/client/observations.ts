import { isStateless } from "../../checks/check.js";
import { expect, type Run, type Work } from "./run.js";
import type { ScriptServer } from "./script-server.js";

/** True if a client has read the response to its opening request. That response is JSON by default. */
export function hasReadOpening({ server: { isOpen, requests, revision } }: Run): boolean {
  return isStateless(revision) ? requests.length > 1 : isOpen;
}

/** True if a client has read a page of tools. Such a page is an event stream by default. */
export function hasReadPage({ server: { requests } }: Run): boolean {
  return requests.some(
    ({ method, params }) => method === "tools/call" || params["cursor"] !== undefined,
  );
}

export function hasRequested({ requests }: ScriptServer, method: string): boolean {
  return requests.some((one) => one.method === method);
}

/** Checks that a client ends a session whose server has agreed to a version that does not exist. */
export function expectEnd(work: Work, server: ScriptServer, version: string): void {
  const received = afterOpening(server);
  expect(work, { server }, "client-version", received === undefined, {
    expected: `nothing more, as the server has agreed to ${version}`,
    received,
  });
}

/** Returns the method of the first message that continues a session after its opening; undefined if there is none. */
function afterOpening({ requests, isOpen }: ScriptServer): string | undefined {
  const opening = requests.findIndex(({ method }) => method === "initialize");
  const after = opening < 0 ? [] : requests.slice(opening + 1);
  const next = after.find(({ method }) => method !== "initialize");
  return next?.method ?? (isOpen ? "notifications/initialized" : undefined);
}

export function hasParamHeaders({ revision }: ScriptServer, method: string): boolean {
  return revision.methods.get(method)?.paramHeaders !== undefined;
}

/** Returns what a client did after its first call, which was refused because of its headers. */
export function refetchIn({ server }: Run): {
  readonly isCalled: boolean;
  /** True if the client has read the list again and then repeated the call. */
  readonly isRepeated: boolean;
  readonly after: string;
} {
  const methods = server.requests.map(({ method }) => method);
  const isCall = (method: string): boolean => hasParamHeaders(server, method);
  const first = methods.findIndex(isCall);
  const after = methods.slice(first + 1);
  const list = after.indexOf("tools/list");
  return {
    isCalled: first >= 0,
    isRepeated: first >= 0 && list >= 0 && after.slice(list + 1).some(isCall),
    after: after.join(", "),
  };
}
