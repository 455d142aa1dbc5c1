/**
 * Returns the IP address, without brackets, if a host from a `URL` is one. A simple pattern suffices, because `URL` has
 * already normalized the other forms of IPv4 addresses.
 */
export function addressIn(hostname: string): string | undefined {
  if (hostname.startsWith("[")) return hostname.slice(1, -1);
  return /^\d+\.\d+\.\d+\.\d+$/.test(hostname) ? hostname : undefined;
}

/**
 * Returns true if the host is `localhost`, one of its subdomains (RFC 6761, section 6.3), `[::1]`, or in 127.0.0.0/8.
 */
export function isLoopback(hostname: string): boolean {
  const name = hostname.replace(/\.$/, "");
  if (name === "localhost" || name.endsWith(".localhost") || name === "[::1]") return true;
  return addressIn(name)?.startsWith("127.") ?? false;
}
