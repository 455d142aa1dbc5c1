import { Program } from "../../core/program.js";
import { type Starter, firstRequest } from "./cold-start.js";
import { newest } from "./conversation.js";
import { Pipeline } from "./pipeline.js";

/** What a server holds after its first answer and a collection of garbage, in MiB. */
export async function idleMemory({
  name,
  file,
  era,
}: Starter): Promise<{ rss: number; heap: number }> {
  const program = new Program(`programs/${file}`, { ERA: era }, ["--expose-gc"]);
  const { stdin, stdout } = program.child;
  try {
    const { method, params } = firstRequest(newest[era]);
    const { result } = await new Pipeline(stdin!, stdout!).ask(method, params);
    if (result === undefined) throw new Error("no result");
    await program.usage();
    const { rss, heap } = await program.usage();
    return { rss: rss / 2 ** 20, heap: heap / 2 ** 20 };
  } catch (cause) {
    throw new Error(`${name}, ${era}: ${(cause as Error).message}`, { cause });
  } finally {
    await program.end();
  }
}
