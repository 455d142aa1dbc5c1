/** Address in the host of a URL, in its only notation there; undefined for a name. */
export function addressIn(hostname: string): string | undefined {
  if (hostname.startsWith("[")) return hostname.slice(1, -1);
  return /^\d+\.\d+\.\d+\.\d+$/.test(hostname) ? hostname : undefined;
}

/** True for a host of this machine, as URLs have it (RFC 6761, section 6.3). */
export function isLoopback(hostname: string): boolean {
  const name = hostname.replace(/\.$/, "");
  if (name === "localhost" || name.endsWith(".localhost") || name === "[::1]") return true;
  return addressIn(name)?.startsWith("127.") ?? false;
}
