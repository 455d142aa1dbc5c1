import type { Section } from "../core/section.js";
import { section as generator } from "./generator.js";
import { section as growth } from "./growth.js";
import { section as http } from "./http.js";
import { section as inProcess } from "./in-process.js";
import { section as size } from "./size.js";
import { section as start } from "./start.js";
import { section as stdio } from "./stdio.js";
import { section as typecheck } from "./typecheck.js";
import { section as validators } from "./validators.js";

/** In the order of the report. */
export const sections: readonly Section[] = [
  validators,
  inProcess,
  stdio,
  http,
  start,
  size,
  typecheck,
  growth,
  generator,
];
