import { Diagnostics } from "../../diagnostics.js";
import type { Context } from "../command.js";
import { count } from "../units.js";
import { generateOnce } from "./generate-once.js";
import { Generator } from "./generation.js";
import { InputChanges } from "./input-changes.js";
import type { Request } from "./targets.js";

/** Reads anew what is asked for, as a configuration can change. */
export type Resolve = (diagnostics: Diagnostics) => Promise<Request | undefined>;

/**
 * Generates now and after every change of an input, until the process is asked to end.
 * An input that is wrong for the time being is reported, and waited for.
 */
export async function watch(
  resolve: Resolve,
  first: Request,
  force: boolean,
  context: Context,
): Promise<undefined> {
  const changes = new InputChanges();
  const end = (): void => changes.end();
  process.once("SIGINT", end).once("SIGTERM", end);
  let request: Request | undefined = first;
  let generator = new Generator(first);
  do {
    const diagnostics = new Diagnostics();
    request ??= await resolve(diagnostics);
    if (request) {
      changes.observe(inputsOf(request));
      if (!generator.fits(request)) generator = new Generator(request);
    }
    const manner = { mode: "write", force, generator, progress: context.progress } as const;
    const outcome = request && (await generateOnce(request, manner, diagnostics));
    context.present(
      outcome,
      diagnostics,
      `Watching ${count(changes.size, "file")}; Ctrl+C ends it.`,
    );
    request = undefined;
  } while (await changes.next());
  process.off("SIGINT", end).off("SIGTERM", end);
  return undefined;
}

function inputsOf({ targets, extensions = [], config }: Request): readonly string[] {
  const all = [...targets, ...extensions, ...extensions.map(({ extended }) => extended)];
  const files = all.flatMap(({ schema, facts }) => [schema, facts]);
  return [...files, config].filter((file) => file !== undefined);
}
