import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { fastTests } from "./support/fast-tests.js";
import { flakyTests } from "./support/flaky-tests.js";
import { SlowFirst } from "./support/slow-first.js";
import { aliases } from "./support/sources.js";

const root = fileURLToPath(new URL("..", import.meta.url));

/** True for `npm run runtimes`, which installs what its tests need. */
const isRuntimes = process.argv.includes("--mode=runtimes");

/** Formatting takes half of the generation time. */
const formatting = {
  find: /^prettier\/standalone$/,
  replacement: fileURLToPath(new URL("support/prettier-once.ts", import.meta.url)),
};

/** Tests run against the sources, never against a build that may be stale. */
export default defineConfig({
  root,
  resolve: {
    alias: [...aliases, formatting],
  },
  test: {
    include: process.argv.includes("--mode=fast") ? fastTests(root) : ["test/**/*.test.ts"],
    exclude: [
      "**/node_modules/**",
      "test/sdk/.suites/**",
      ...(isRuntimes ? [] : ["test/runtimes/**"]),
    ],
    testTimeout: 30_000,
    hookTimeout: 120_000,
    // A busy machine may delay one test in 16,000, which must not hold back a landing. Locally, each failure counts.
    retry: process.env["CI"] ? 1 : 0,
    reporters: ["default", flakyTests],
    // A machine may be so busy that nothing happens for several seconds.
    expect: { poll: { timeout: 20_000 } },
    maxWorkers: 2,
    // Reloading the sources for each file takes longer than most tests.
    isolate: false,
    setupFiles: ["test/support/own-globals.ts"],
    globalSetup: [
      "test/support/shared-folder.ts",
      ...(isRuntimes ? ["test/runtimes/install.ts"] : []),
    ],
    sequence: { sequencer: SlowFirst },
    // Compiled code runs as it is.
    server: { deps: { external: [/\/generator\/dist\//] } },
  },
});
