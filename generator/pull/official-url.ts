const REPOSITORY =
  "https://raw.githubusercontent.com/modelcontextprotocol/modelcontextprotocol/main";

/** Returns the official URL for the schema of a revision without recorded facts. */
export function officialUrl(revision: string): string {
  return `${REPOSITORY}/schema/${encodeURIComponent(revision)}/schema.ts`;
}
