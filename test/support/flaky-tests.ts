import type { Reporter, TestModule } from "vitest/node";

/** Lists the tests that passed only when they were repeated, so that repeating hides none of them. */
export const flakyTests: Reporter = {
  onTestRunEnd(modules: readonly TestModule[]) {
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        if (test.diagnostic()?.flaky) {
          console.log(`Flaky, passed when repeated: ${module.relativeModuleId} > ${test.fullName}`);
        }
      }
    }
  },
};
