/** True if the host of a URL is this machine: `localhost`, a subdomain of it, `[::1]`, or in 127.0.0.0/8. */
export function isLoopback(hostname: string): boolean {
  const name = hostname.replace(/\.$/, "");
  if (name === "localhost" || name.endsWith(".localhost") || name === "[::1]") return true;
  return /^127(?:\.\d+){3}$/.test(name);
}

/** True for `https:` URLs, and for `http:` URLs of this machine, where programs are developed. */
export function isSecureUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === "https:" || (protocol === "http:" && isLoopback(hostname));
}
