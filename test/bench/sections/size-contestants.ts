/** What a program is for; a contestant need not have all of them. */
export const purposes = ["stdio server", "HTTP server", "client"] as const;
export type Purpose = (typeof purposes)[number];

export interface Contestant {
  readonly name: string;
  /** Below `programs/size`. */
  readonly folder: string;
  /** Of ours: what `@mcp-codegen/revision` stands for in its programs. */
  readonly revision?: string;
  readonly isOurs: boolean;
  /** What a project names in its `package.json` to write such a program. */
  readonly packages: Partial<Record<Purpose, readonly string[]>>;
}

export const revisions = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"];

function pinned(revision: string): Contestant {
  const own = `@mcp-codegen/${revision}`;
  return {
    name: revision,
    folder: "pinned",
    revision,
    isOurs: true,
    packages: {
      "stdio server": [own],
      "HTTP server": [own, "@mcp-codegen/runtime/http/server"],
      client: [own, "@mcp-codegen/runtime/stdio/client"],
    },
  };
}

/** For bundles only: it installs what `universal` does. */
function universalWith(revision: string): Contestant {
  const name = `universal with ${revision}`;
  return {
    name,
    folder: "universal-one",
    revision,
    isOurs: true,
    packages: { "stdio server": [], "HTTP server": [], client: [] },
  };
}

export const universal: Contestant = {
  name: "universal",
  folder: "universal",
  isOurs: true,
  packages: {
    "stdio server": ["@mcp-codegen/universal"],
    "HTTP server": ["@mcp-codegen/universal"],
    client: ["@mcp-codegen/universal"],
  },
};

const sdk1: Contestant = {
  name: "sdk 1.32",
  folder: "sdk-1",
  isOurs: false,
  packages: {
    "stdio server": ["@modelcontextprotocol/sdk", "zod"],
    "HTTP server": ["@modelcontextprotocol/sdk", "zod"],
    client: ["@modelcontextprotocol/sdk", "zod"],
  },
};

export const sdk2: Contestant = {
  name: "sdk 2.4",
  folder: "sdk-2",
  isOurs: false,
  packages: {
    "stdio server": ["@modelcontextprotocol/server", "zod"],
    "HTTP server": ["@modelcontextprotocol/server", "@modelcontextprotocol/node", "zod"],
    client: ["@modelcontextprotocol/client"],
  },
};

const tmcp: Contestant = {
  name: "tmcp 1.20",
  folder: "tmcp",
  isOurs: false,
  packages: {
    "stdio server": ["tmcp", "@tmcp/adapter-zod", "@tmcp/transport-stdio", "zod"],
    "HTTP server": [
      "tmcp",
      "@tmcp/adapter-zod",
      "@tmcp/transport-http",
      "@hono/node-server",
      "zod",
    ],
  },
};

const mcpLite: Contestant = {
  name: "mcp-lite 0.10",
  folder: "mcp-lite",
  isOurs: false,
  packages: { "HTTP server": ["mcp-lite", "@hono/node-server", "zod"] },
};

const limit: Contestant = {
  name: "limit",
  folder: "limit",
  isOurs: false,
  packages: { "stdio server": [], "HTTP server": [], client: [] },
};

export const pinnedContestants = revisions.map(pinned);
export const installed = [...pinnedContestants, universal, sdk1, sdk2, tmcp, mcpLite];
export const bundled = [
  limit,
  ...pinnedContestants,
  ...revisions.map(universalWith),
  universal,
  sdk1,
  sdk2,
  tmcp,
  mcpLite,
];

/** What the short form leaves out is what changes seldom. */
export const shortly = new Set(["limit", "2026-07-28", "2025-11-25", "universal", "sdk 2.4"]);
