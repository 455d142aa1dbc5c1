/** True if a URL's host is this machine: `localhost`, one of its subdomains, `[::1]`, or an address in 127.0.0.0/8. */
export function isLoopback(hostname: string): boolean {
  const name = hostname.replace(/\.$/, "");
  if (name === "localhost" || name.endsWith(".localhost") || name === "[::1]") return true;
  return /^127(?:\.\d+){3}$/.test(name);
}

/** True for `https:` URLs, and for `http:` URLs on this machine, where programs are developed. */
export function isSecureUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === "https:" || (protocol === "http:" && isLoopback(hostname));
}
