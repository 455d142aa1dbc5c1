/** `node:fs` for a suite that asks for a function of Node 22, though nothing that is done here calls it. */
export * from "node:fs";

export function globSync(): never {
  throw new Error("fs.globSync needs Node 22");
}
