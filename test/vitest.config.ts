import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { testsByKind } from "./support/kinds.js";
import { SlowFirst } from "./support/slow-first.js";
import { aliases } from "./support/sources.js";

const root = fileURLToPath(new URL("..", import.meta.url));

/** `npm run runtimes`, which installs what its tests need. */
const isRuntimes = process.argv.includes("--mode=runtimes");

const kinds = testsByKind(root);

/** Tests of `npm run test:fast`; undefined for all. */
const fast = process.argv.includes("--mode=fast") ? new Set(kinds.fast) : undefined;

/** Tests that run the built packages: in CI, which has just built them, those of what is published; others run the sources. */
const ofBuilt = process.env["CI"]
  ? kinds.published.filter((path) => !kinds.pure.includes(path))
  : [];

/** Half of the time of generating is that of formatting. */
const formatting = {
  find: /^prettier\/standalone$/,
  replacement: join(root, "test/support/prettier-once.ts"),
};

const exclude = [
  "**/node_modules/**",
  "test/sdk/.suites/**",
  ...(isRuntimes ? [] : ["test/runtimes/**"]),
];

/** Tests that share settings; they and others run side by side. */
function project(
  name: string,
  include: readonly string[],
  { isBuilt = false, isolate = true, without = [] as readonly string[] } = {},
): TestProjectInlineConfiguration {
  return {
    root,
    resolve: { alias: isBuilt ? [] : [...aliases, formatting] },
    test: {
      name,
      isolate,
      include: include.filter((path) => fast?.has(path) ?? true),
      exclude: [...exclude, ...without],
      testTimeout: 30_000,
      hookTimeout: 120_000,
      // A machine may be so busy that nothing happens for seconds.
      expect: { poll: { timeout: 20_000 } },
      // Compiled code runs as it is.
      server: {
        deps: {
          external: [
            /\/generator\/dist\//,
            ...(isBuilt ? [/\/(?:generated|runtime)\/.*\bdist\//] : []),
          ],
        },
      },
    },
  };
}

export default defineConfig(({ mode }) => ({
  root,
  test: {
    maxWorkers: Math.min(availableParallelism(), 6),
    globalSetup: [
      "test/support/shared-folder.ts",
      ...(isRuntimes ? ["test/runtimes/install.ts"] : []),
    ],
    sequence: { sequencer: SlowFirst },
    projects: [
      project("sources", fast ? [...fast] : ["test/**/*.test.ts"], {
        without: [...kinds.pure, ...ofBuilt],
      }),
      // They load what they share once, not once for each file.
      project("pure", kinds.pure, { isolate: false }),
      ...(ofBuilt.length > 0 ? [project("built", ofBuilt, { isBuilt: true })] : []),
    ].map((one) => ({ ...one, mode })),
  },
}));
