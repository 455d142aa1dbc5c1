/** `node:fs` for a suite that imports a function of Node 22 without calling it here. */
export * from "node:fs";

export function globSync(): never {
  throw new Error("fs.globSync needs Node 22");
}
