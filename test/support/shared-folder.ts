import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The environment variable with the folder that all test files in a run share. */
export const SHARED = "MCP_CODEGEN_TEST_SHARED";

/** Creates the shared folder before the first test file. */
export function setup(): void {
  process.env[SHARED] = mkdtempSync(join(tmpdir(), "mcp-codegen-shared-"));
}

/** Removes the shared folder after the last test file. */
export function teardown(): void {
  rmSync(process.env[SHARED]!, { recursive: true, force: true });
}
