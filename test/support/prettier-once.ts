import { createHash, randomUUID } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { format as Format } from "prettier/standalone";
import { SHARED } from "./shared-folder.js";

const { format: prettier } = (await import("prettier/standalone.mjs" as string)) as {
  format: typeof Format;
};
const folder = join(process.env[SHARED]!, "formatted");
await mkdir(folder, { recursive: true });

/**
 * Runs Prettier with the options for generated code, which are the same each time. A test run formats each text only
 * once.
 */
export const format: typeof Format = async (text, options) => {
  const file = join(folder, createHash("sha256").update(text).digest("hex"));
  const known = await readFile(file, "utf8").catch(() => undefined);
  if (known !== undefined) return known;
  const formatted = await prettier(text, options);
  const own = `${file}-${randomUUID()}`;
  await writeFile(own, formatted);
  // Another test file may have been faster with the same text; Windows then keeps that file.
  await rename(own, file).catch(() => {});
  return formatted;
};
