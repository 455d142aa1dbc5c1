const REPOSITORY =
  "https://raw.githubusercontent.com/modelcontextprotocol/modelcontextprotocol/main";

/** Official address of the schema of a revision without recorded facts. */
export function officialUrl(revision: string): string {
  return `${REPOSITORY}/schema/${encodeURIComponent(revision)}/schema.ts`;
}
