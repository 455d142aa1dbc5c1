import { fileURLToPath } from "node:url";
import type { Depth, Section, SectionResult } from "./section.js";

const root = fileURLToPath(new URL("../../../../", import.meta.url));

/** What came of a section: a result, or the reason why there is none. */
export interface Outcome {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  /** How long it took, in seconds. */
  readonly seconds: number;
  readonly result?: SectionResult;
  readonly failure?: string;
}

/** Runs a section to its end, whatever that is. */
export async function outcomeOf(section: Section, depth: Depth): Promise<Outcome> {
  const { id, title, about } = section;
  const start = performance.now();
  const seconds = () => Math.round((performance.now() - start) / 100) / 10;
  try {
    const result = await section.run(depth);
    return { id, title, about, seconds: seconds(), result };
  } catch (error) {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { id, title, about, seconds: seconds(), failure: reason.replaceAll(root, "") };
  }
}
