const REPOSITORY =
  "https://raw.githubusercontent.com/modelcontextprotocol/modelcontextprotocol/main";

export function officialUrl(revision: string): string {
  return `${REPOSITORY}/schema/${encodeURIComponent(revision)}/schema.ts`;
}
