import { Logging, Tools } from "../../../../runtime/features/index.js";
import type { HandlerContext } from "../../../../runtime/api/handlers.js";
import type { Revision } from "../../../../runtime/wire/revision/revision.js";
import { serveStdio } from "../../../../runtime/stdio/serve-stdio.js";
import { RevisionsServer } from "./servers.js";

/** Runs a server as a process; the arguments are the revisions that it serves. */
export async function main(packages: readonly { readonly revision: Revision }[]): Promise<void> {
  const ids = process.argv.slice(2);
  const revisions = packages.map(({ revision }) => revision).filter(({ id }) => ids.includes(id));
  const tools = new Tools<{ name: string; inputSchema: { type: "object" } }>();
  const logging = new Logging();
  const inputSchema = { type: "object" } as const;
  tools.add({ name: "who", inputSchema }, (_args, { session }: HandlerContext) => ({
    content: [
      { type: "text", text: `${session.revision.id} ${JSON.stringify(session.peer.info)}` },
    ],
  }));
  tools.add({ name: "grow", inputSchema }, () => {
    tools.add({ name: `t${tools.definitions.length}`, inputSchema }, () => ({ content: [] }));
    return { content: [] };
  });
  tools.add({ name: "hang", inputSchema }, (_args, { signal }: HandlerContext) => {
    return new Promise<never>((_resolve, reject) => {
      signal.addEventListener("abort", () => {
        console.error("aborted");
        reject(signal.reason as Error);
      });
    });
  });
  tools.add({ name: "talk", inputSchema }, async (_args, context: HandlerContext) => {
    logging.for(context)("info", "hello");
    context.progress(1, 2);
    // The official client drops notifications that it reads together with the response.
    await new Promise((resolve) => setTimeout(resolve, 50));
    return { content: [] };
  });
  const info = { name: "process", version: "1" };
  await serveStdio(new RevisionsServer(revisions, info, {}, { features: [tools, logging] }));
}
