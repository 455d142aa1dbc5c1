import type { TestSpecification } from "vitest/node";
import { BaseSequencer } from "vitest/node";

/** Parts of paths of slow test files, the slowest first; a fresh clone has no times of earlier runs. */
const SLOW = [
  "test/readme/fresh-clone",
  "test/scaffold/vendor",
  "test/future/candidates",
  "test/docs/browser",
  "test/packages/size",
  "test/scaffold/scaffold",
  "test/scaffold/authorization",
  "test/sdk/compiler-cost",
  "test/instances/replacing",
  "test/generated/broken-schemas",
  "test/packages/",
  "test/behaviour/stdio",
  "test/cli/",
  "test/generated/compile",
  "test/soak/",
  "test/behaviour/",
  "test/facade/matrix/",
];

/** Starts slow files first, so that no worker is left with one at the end. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- a method of the sequencer, not of an array
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => rank(one) - rank(other));
  }
}

function rank({ moduleId }: TestSpecification): number {
  const index = SLOW.findIndex((part) => moduleId.replaceAll("\\", "/").includes(part));
  return index === -1 ? SLOW.length : index;
}
