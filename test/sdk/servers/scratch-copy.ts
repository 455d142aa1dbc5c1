import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { PublishedServer } from "./server.js";

/**
 * Creates two copies of a published package, `before` and `after`, beside links to everything that they import: the
 * installed packages and ours.
 */
export function scratchCopy(
  place: string,
  server: PublishedServer,
  installed: string,
  ours: string,
): { readonly before: string; readonly after: string } {
  rmSync(place, { recursive: true, force: true });
  const modules = join(place, "node_modules");
  link(join(installed, "node_modules"), modules);
  link(join(ours, "node_modules/@mcp-codegen"), join(modules, "@mcp-codegen"));
  const [before, after] = ["before", "after"].map((name) => join(place, name));
  for (const copy of [before!, after!])
    cpSync(join(installed, "node_modules", server.package), copy, { recursive: true });
  return { before: before!, after: after! };
}

/** Links each package in a folder, and those in a scope one by one. */
function link(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) {
    if (name.startsWith("@")) link(join(from, name), join(to, name));
    else symlinkSync(join(from, name), join(to, name));
  }
}
