import * as fs from "node:fs";
import { register } from "node:module";

/** Loaded before the suite: it imports a function by name that Node has from version 22 on. */
if (!("globSync" in fs)) register("./resolve-fs.js", import.meta.url);
