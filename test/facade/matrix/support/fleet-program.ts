import { serveAll } from "./program.js";

/** The one server over HTTP alone; prints its port. The key is in hexadecimal. */
export async function main(): Promise<void> {
  const { port } = await serveAll(process.argv[2]!);
  process.stdout.write(`${port}\n`);
}
