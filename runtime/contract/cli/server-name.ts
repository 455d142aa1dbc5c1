import type { ServerReading } from "../lock/lock-file.js";
import type { LockJob } from "./jobs.js";

/**
 * Returns the name of a server in the lock file: the name on the command line, or else one derived from the server's
 * own name. A label from `--as` is appended: `name@label`.
 */
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
