// Gives each generated package the licence of the project: npm publishes a LICENSE only from the folder of its package.
import { copyFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const generated = join(root, "generated");
for (const name of readdirSync(generated)) {
  copyFileSync(join(root, "LICENSE"), join(generated, name, "LICENSE"));
}
