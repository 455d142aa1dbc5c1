/**
 * Returns the IP address from the host of a URL, as `URL` normalizes it but without brackets; undefined if the host is
 * a name.
 */
export function addressIn(hostname: string): string | undefined {
  if (hostname.startsWith("[")) return hostname.slice(1, -1);
  return /^\d+\.\d+\.\d+\.\d+$/.test(hostname) ? hostname : undefined;
}

/** True if the host of a URL is this machine (RFC 6761, section 6.3). */
export function isLoopback(hostname: string): boolean {
  const name = hostname.replace(/\.$/, "");
  if (name === "localhost" || name.endsWith(".localhost") || name === "[::1]") return true;
  return addressIn(name)?.startsWith("127.") ?? false;
}
