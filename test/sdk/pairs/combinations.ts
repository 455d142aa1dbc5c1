import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { filesOf, workspace } from "../programs/workspace.js";

/** Sides of a pair of programs. */
export type Side = "theirs" | "ours";

/** One way to pair the programs: which is the client, and which is the server. */
export interface Combination {
  readonly name: string;
  readonly client: Side;
  readonly server: Side;
}

/** The ways to pair the programs; the others are measured against the first one. */
export const combinations: readonly Combination[] = [
  { name: "theirs", client: "theirs", server: "theirs" },
  { name: "their client", client: "theirs", server: "ours" },
  { name: "their server", client: "ours", server: "theirs" },
  { name: "both ours", client: "ours", server: "ours" },
];

/** Matches a story's files that belong to its server; what stories share is for servers as well. */
const SERVER = /^(?:shared|todos-server)\/|^[^/]+\/(?:server|simpleTokenProvider)\.ts$/;

/**
 * Creates the folder with a combination's stories. Each file comes from the side that it belongs to, and is bundled to
 * run fast.
 */
export async function combine({ name, client, server }: Combination): Promise<string> {
  const folder = join(workspace, "pairs", name.replaceAll(" ", "-"));
  rmSync(folder, { recursive: true, force: true });
  const source = (file: string) =>
    join(workspace, SERVER.test(file) ? server : client, "examples", file);
  const files = filesOf(join(workspace, "theirs/examples"));
  for (const file of files) {
    mkdirSync(join(folder, file, ".."), { recursive: true });
    cpSync(source(file), join(folder, file));
  }
  const entries = files.filter((file) => /^[^/]+\/(?:client|server)\.ts$/.test(file));
  const bundle = await rolldown({
    cwd: folder,
    input: Object.fromEntries(entries.map((file) => [file.slice(0, -".ts".length), file])),
    platform: "node",
    external: /^(?![./]|@mcp-examples)/,
    resolve: {
      alias: {
        "@mcp-examples/shared/auth": join(folder, "shared/src/indexAuth.ts"),
        "@mcp-examples/shared": join(folder, "shared/src/index.ts"),
      },
    },
    logLevel: "silent",
  });
  await bundle.write({ dir: folder, format: "esm", chunkFileNames: "chunks/[name]-[hash].js" });
  await bundle.close();
  return folder;
}

/**
 * Creates a folder to put first in `PATH`. Clients start their servers with `npx -y tsx server.ts`, which takes longer
 * than the conversation; this runs the bundle instead.
 */
export function fastNpx(): string {
  const folder = join(workspace, "bin");
  mkdirSync(folder, { recursive: true });
  const script = `#!/bin/sh\nfile=$3\nshift 3\nexec "${process.execPath}" "\${file%.ts}.js" "$@"\n`;
  writeFileSync(join(folder, "npx"), script, { mode: 0o755 });
  return folder;
}
