const LONGEST = 200;

/** Foreign text in quotes, on one line, without control characters, shortened. */
export function quoted(text: unknown): string {
  const line = String(text)
    .slice(0, LONGEST + 1)
    .replace(/[\p{C}\s]+/gu, " ")
    .trim();
  return `"${line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line}"`;
}

/** Text without the secrets that it may repeat. */
export function redacted(text: string, secrets: Iterable<string>): string {
  let result = text;
  for (const secret of secrets)
    if (secret.length >= 4) result = result.replaceAll(secret, "[secret]");
  return result;
}

/** URL without its query, which may hold a secret. */
export function place(url: URL): string {
  return `${url.origin}${url.pathname}`;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The strings of a list; undefined for anything else. */
export function strings(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : undefined;
}
