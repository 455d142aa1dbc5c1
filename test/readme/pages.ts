import { readdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "../support/pack.js";

/** The documentation pages, as paths below the root. */
export const pages: readonly string[] = readdirSync(join(root, "runtime/docs"))
  .filter((name) => name.endsWith(".md"))
  .map((name) => `runtime/docs/${name}`);
