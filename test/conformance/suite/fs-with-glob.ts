/** Stands in for `node:fs`, for a suite that imports a function of Node 22 but does not call it here. */
export * from "node:fs";

export function globSync(): never {
  throw new Error("fs.globSync needs Node 22");
}
