import { type LockFile, readingOf } from "../lock/lock-file.js";
import type { ContractChange } from "./change.js";
import { contractDiff } from "./contract-diff.js";

/** Changes between two lock files, server by server. */
export function lockDiff(before: LockFile, after: LockFile): readonly ContractChange[] {
  const names = new Set([...Object.keys(before.servers), ...Object.keys(after.servers)]);
  return [...names].toSorted().flatMap((server): readonly ContractChange[] => {
    const [one, other] = [before, after].map(({ servers }) =>
      Object.hasOwn(servers, server) ? servers[server] : undefined,
    );
    if (one && other) return contractDiff(server, readingOf(one), readingOf(other));
    const place = { server, list: "server", name: "", pointer: "" } as const;
    return one
      ? [{ ...place, class: "breaking", message: "the server is gone" }]
      : [{ ...place, class: "additive", message: "new server" }];
  });
}
