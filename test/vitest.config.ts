import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Tests run against the sources, never against a build that may be stale. */
export default defineConfig({
  root,
  resolve: {
    alias: [
      { find: /^@mcp-codegen\/runtime$/, replacement: `${root}runtime/index.ts` },
      {
        find: /^@mcp-codegen\/runtime\/(memory|stdio|stdio-client)$/,
        replacement: `${root}runtime/transport/$1.ts`,
      },
      { find: /^@mcp-codegen\/runtime\/(.+)$/, replacement: `${root}runtime/$1.ts` },
      { find: /^@mcp-codegen\/([^/]+)$/, replacement: `${root}generated/$1/index.ts` },
      { find: /^@mcp-codegen\/([^/]+)\/(.+)$/, replacement: `${root}generated/$1/$2.ts` },
    ],
  },
  test: { include: ["test/**/*.test.ts"], testTimeout: 30_000 },
});
