import type { TestSpecification } from "vitest/node";
import { BaseSequencer } from "vitest/node";

/** Parts of the paths of slow test files, the slowest first. A fresh clone has no times from earlier runs. */
const SLOW = [
  "test/future/candidates",
  "test/testing/doctor/full-faults",
  "test/scaffold/scaffold",
  "test/packages/release",
  "test/readme/fresh-clone",
  "test/instances/replacing",
  "test/behaviour/stdio",
  "test/docs/browser",
  "test/redis/outages",
  "test/cli/inputs",
  "test/contract/guard-restarts",
  "test/testing/doctor/full-clients",
  "test/cli/projects",
  "test/tasks/extension/processes/",
  "test/scaffold/authorization",
  "test/packages/",
  "test/testing/doctor/more-faults",
  "test/cli/generate",
  "test/generator/slow-texts",
  "test/bridge/transports",
  "test/validators/corpus",
  "test/instances/killed-instances",
  "test/generated/",
  "test/behaviour/",
  "test/redis/",
  "test/cli/",
  "test/future/",
  "test/soak/",
  "test/contract/code",
  "test/facade/matrix/",
  "test/scaffold/",
  "test/sdk/compiler-cost",
  "test/readme/readme",
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
