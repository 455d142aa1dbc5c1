// Makes built packages small, all of them or those in the folders given: `node runtime/build/compact.mjs [folder]...`
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { compactPackage } from "./compact-package.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const generated = readdirSync(join(root, "generated")).map((name) => join(root, "generated", name));
const given = process.argv.slice(2).map((folder) => resolve(folder));
for (const folder of given.length > 0 ? given : [join(root, "runtime"), ...generated]) {
  await compactPackage(folder);
}
