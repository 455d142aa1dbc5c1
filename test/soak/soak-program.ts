import { fileURLToPath } from "node:url";
import { serveStdio } from "../../runtime/stdio/serve-stdio.js";
import { everythingServer } from "../behaviour/server/everything-server.js";
import type { Package } from "../behaviour/support/packages.js";
import { takeFigures } from "./figures.js";
import { soakMemory, soakStdio } from "./soak-requests.js";
import { soakSessions } from "./soak-sessions.js";

/**
 * The amounts of work, passed as JSON in the only argument. `serve` makes the program the server for the stdio part.
 */
interface Amounts {
  readonly sessions: number;
  readonly requests: number;
  readonly serve?: boolean;
}

/** Prints the verdict for each part as a line of JSON. */
export async function main(packages: readonly Package[]): Promise<void> {
  const { sessions, requests, serve } = JSON.parse(process.argv[2]!) as Amounts;
  const from = packages.findLast(({ revision }) => revision.traits.lifecycle === "initialize")!;
  if (serve) return serveFigures(from);
  const args = [fileURLToPath(import.meta.url), JSON.stringify({ serve: true })];
  for (const part of [
    () => soakSessions(from, sessions),
    () => soakMemory(from, requests),
    () => soakStdio(from, args, requests),
  ]) {
    console.log(JSON.stringify(await part()));
  }
}

/** Runs a server that also reports the handles of its process. */
async function serveFigures(from: Package): Promise<void> {
  const server = everythingServer(
    from,
    () => {},
    (tools) => {
      tools.add({ name: "figures", inputSchema: { type: "object" } }, async () => ({
        content: [{ type: "text", text: JSON.stringify(await takeFigures()) }],
      }));
    },
  );
  await serveStdio(server);
}
