const REPOSITORY =
  "https://raw.githubusercontent.com/modelcontextprotocol/modelcontextprotocol/main";

/** Where the specification publishes the schema of a revision that nothing is recorded of. */
export function officialUrl(revision: string): string {
  return `${REPOSITORY}/schema/${encodeURIComponent(revision)}/schema.ts`;
}
