import { serveAll } from "./program.js";

/** Runs the matrix server over HTTP only and prints its port. The key is given in hexadecimal. */
export async function main(): Promise<void> {
  const { port } = await serveAll(process.argv[2]!);
  process.stdout.write(`${port}\n`);
}
