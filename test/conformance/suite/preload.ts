import * as fs from "node:fs";
import { register } from "node:module";

/**
 * Prepares for the suite, before which this module is loaded: the suite imports a function by name that Node only has
 * since version 22.
 */
if (!("globSync" in fs)) register("./resolve-fs.js", import.meta.url);
