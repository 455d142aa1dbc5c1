const REPOSITORY =
  "https://raw.githubusercontent.com/modelcontextprotocol/modelcontextprotocol/main";

/** Official address of the schema of a revision about which nothing is recorded. */
export function officialUrl(revision: string): string {
  return `${REPOSITORY}/schema/${encodeURIComponent(revision)}/schema.ts`;
}
