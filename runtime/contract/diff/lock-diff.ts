import {
  type LockedServer,
  type LockFile,
  readingOf,
  type ServerReading,
} from "../lock/lock-file.js";
import { withoutIgnored } from "../server-contract.js";
import type { ContractChange } from "./change.js";
import { contractDiff } from "./contract-diff.js";

/**
 * Changes between two lock files, server by server.
 *
 * @param ignore - JSON pointers of places that are not compared
 */
export function lockDiff(
  before: LockFile,
  after: LockFile,
  ignore: readonly string[] = [],
): readonly ContractChange[] {
  const inLists = ignore.map((pointer) => `/*/*${pointer}`);
  const read = (locked: LockedServer): ServerReading =>
    withoutIgnored(readingOf(locked), [...ignore, ...inLists]);
  const names = new Set([...Object.keys(before.servers), ...Object.keys(after.servers)]);
  return [...names].toSorted().flatMap((server): readonly ContractChange[] => {
    const [one, other] = [before, after].map(({ servers }) =>
      Object.hasOwn(servers, server) ? servers[server] : undefined,
    );
    if (one && other) return contractDiff(server, read(one), read(other));
    const place = { server, list: "server", name: "", pointer: "" } as const;
    return one
      ? [{ ...place, class: "breaking", message: "the server is gone" }]
      : [{ ...place, class: "additive", message: "new server" }];
  });
}
