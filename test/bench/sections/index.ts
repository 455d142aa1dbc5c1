import type { Section } from "../core/section.js";
import { section as bridges } from "./bridges.js";
import { section as growth } from "./growth.js";
import { section as http } from "./http.js";
import { section as instances } from "./instances.js";
import { section as perRequest } from "./per-request.js";
import { section as size } from "./size.js";
import { section as start } from "./start.js";
import { section as stdio } from "./stdio.js";
import { section as validators } from "./validators.js";

/** All sections, in the order of the report. */
export const sections: readonly Section[] = [
  stdio,
  http,
  perRequest,
  start,
  size,
  validators,
  growth,
  instances,
  bridges,
];
