#!/usr/bin/env node
import { main } from "./main.js";

process.stdout.on("error", endQuietly);
process.stderr.on("error", endQuietly);
process.exitCode = await main(process.argv.slice(2), process);

/** Exits without an error if the program that reads the output closes its pipe early, as `head` does. */
function endQuietly(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
  process.exit();
}
