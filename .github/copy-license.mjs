// Copies the project's licence into each generated package, because npm publishes a LICENSE only from the package's own
// folder.
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { packages, root } from "./packages.mjs";

for (const { folder, isGenerated } of packages) {
  if (isGenerated) copyFileSync(join(root, "LICENSE"), join(root, folder, "LICENSE"));
}
