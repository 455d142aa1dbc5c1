// Copies the licence of the project into each generated package: npm publishes a LICENSE only from the folder of its package.
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { packages, root } from "./packages.mjs";

for (const { folder, isGenerated } of packages) {
  if (isGenerated) copyFileSync(join(root, "LICENSE"), join(root, folder, "LICENSE"));
}
