import type { ServerReading } from "../lock/lock-file.js";
import type { LockJob } from "./jobs.js";

/** Returns a server's name in the lock file, including the `--as` label if there is one: `name@label`. */
export function serverName(
  { name, label }: Pick<LockJob, "name" | "label">,
  { server }: ServerReading,
): string {
  const own = String(server?.["name"] ?? "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 40)
    .replace(/^-|-$/g, "");
  const base = name ?? (own === "" ? "server" : own);
  return label === undefined ? base : `${base}@${label}`;
}
