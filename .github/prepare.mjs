// Builds everything after `npm ci`. Each `npx mcp-codegen` in a clone links the package into npm's cache again and
// prepares it, which would take as long as a build, so existing build output is kept.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const isBuilt = existsSync("generator/dist/cli/bin.js");
if (process.env.npm_command !== "exec" || !isBuilt) {
  const { status } = spawnSync("npm run build", { shell: true, stdio: "inherit" });
  process.exitCode = status ?? 1;
}
