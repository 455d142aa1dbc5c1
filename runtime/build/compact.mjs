// Makes built packages small: `node runtime/build/compact.mjs folder...`, of packages or with packages in them
import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { compactPackage } from "./compact-package.mjs";

for (const given of process.argv.slice(2)) {
  const folder = resolve(given);
  const isPackage = existsSync(join(folder, "package.json"));
  const packages = isPackage ? [folder] : readdirSync(folder).map((name) => join(folder, name));
  for (const one of packages) await compactPackage(one);
}
