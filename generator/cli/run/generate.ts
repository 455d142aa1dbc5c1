import { Diagnostics } from "../../diagnostics.js";
import type { Context, Values } from "../command.js";
import { usageError } from "../explain-usage.js";
import type { Outcome } from "../outcome.js";
import { resolveExtension } from "./extension-targets.js";
import {
  type Generation,
  Generator,
  missingPackages,
  packVendored,
  warnOfCommonJs,
} from "./generation.js";
import { cloneAround } from "../../bundled/clone.js";
import { type Mode, report } from "./generate-report.js";
import type { Request } from "./request.js";
import { resolveRequest } from "./targets.js";
import type { Progress } from "../progress.js";
import { count } from "../text.js";
import { checkEdited, checkForeign, write } from "../../output/write.js";
import { statSync } from "node:fs";

export function runGenerate(values: Values, context: Context): Promise<Outcome | undefined> {
  return run(values, context, (diagnostics) => resolveRequest(values, diagnostics));
}

export function runExtension(values: Values, context: Context): Promise<Outcome | undefined> {
  return run(values, context, async (diagnostics) => resolveExtension(values, diagnostics));
}

async function run(
  values: Values,
  context: Context,
  resolveOptions: Resolve,
): Promise<Outcome | undefined> {
  const { diagnostics, progress } = context;
  const mode = modeOf(values, diagnostics);
  if (mode === undefined) return undefined;
  const clone = values.flag("from-registry") ? undefined : await cloneAround();
  const resolve: Resolve = async (found) => {
    const request = await resolveOptions(found);
    if (request && !isModule(request.runtime, found)) return undefined;
    return request && clone ? { ...request, clone } : request;
  };
  const request = await resolve(diagnostics);
  if (request === undefined) return undefined;
  const force = values.flag("force");
  if (values.flag("watch")) return watch(resolve, request, force, context);
  const generator = new Generator(request);
  return generateOnce(request, { mode, force, generator, progress }, diagnostics);
}

/** Matches module specifiers: a package, a path, an import from the package itself (`#…`), or a URL. */
const MODULE =
  /^(?:\.{0,2}\/|#|[a-z][a-z\d+.-]+:|(?:@[\w~][\w.~-]*\/)?[\w~][\w.~-]*(?:\/|$))[^\s\p{C}"'`\\]*$/iu;

function isModule(runtime: string | undefined, diagnostics: Diagnostics): boolean {
  if (runtime === undefined || MODULE.test(runtime)) return true;
  diagnostics.add(
    usageError(
      `--runtime ${JSON.stringify(runtime)} is not the name of a module.`,
      "Name a package, as in @acme/runtime/codegen, or a path such as ../runtime.js.",
    ),
  );
  return false;
}

function modeOf(values: Values, diagnostics: Diagnostics): Mode | undefined {
  const modes = ["check", "dry-run", "watch"].filter((name) => values.flag(name));
  if (modes.length > 1) {
    const names = modes.map((name) => `--${name}`).join(" and ");
    diagnostics.add(usageError(`${names} cannot be combined.`, "Use one of them."));
    return undefined;
  }
  return modes[0] === "check" || modes[0] === "dry-run" ? modes[0] : "write";
}

export interface RunOptions {
  readonly mode: Mode;
  readonly force: boolean;
  readonly generator: Generator;
  readonly progress: Progress;
}

/** Generates everything before writing anything, so that no folder changes if an input is rejected. */
export async function generateOnce(
  request: Request,
  { mode, force, generator, progress }: RunOptions,
  diagnostics: Diagnostics,
): Promise<Outcome | undefined> {
  const { targets, universal, extensions = [] } = request;
  const start = performance.now();
  const generations: Generation[] = [];
  for (const [index, target] of targets.entries()) {
    const place = targets.length > 1 ? ` (${index + 1} of ${targets.length})` : "";
    progress.step(`Generating ${target.revision}${place}`);
    const generation = await generator.run(target, diagnostics);
    if (generation) generations.push(generation);
  }
  if (universal && !diagnostics.hasErrors) {
    progress.step("Generating universal");
    const generation = await generator.runUniversal(targets, universal, diagnostics);
    if (generation) generations.push(generation);
  }
  for (const extension of diagnostics.hasErrors ? [] : extensions) {
    progress.step(`Generating ${extension.id}`);
    const generation = await generator.runExtension(extension, diagnostics);
    if (generation) generations.push(generation);
  }
  if (diagnostics.hasErrors) return undefined;
  if (mode === "write") {
    if (!writeAll(generations, { force, progress }, diagnostics)) return undefined;
    for (const { target, changes } of generations) {
      if (!request.modulesOnly) warnOfCommonJs(target.folder, changes, diagnostics);
    }
  }
  const isWritten = mode === "write";
  const vendored = isWritten ? await packVendored(generations, request.clone) : [];
  const others = generations
    .map(({ target }) => target.folder)
    .filter(({ path }) => !vendored.includes(path));
  const specifiers = request.runtime === undefined ? undefined : [request.runtime];
  const missing = isWritten ? missingPackages(others, specifiers, request.clone) : undefined;
  return report(generations, mode, {
    milliseconds: performance.now() - start,
    missing,
    vendored,
    archive: request.clone?.archivesOf([RUNTIME]).get(RUNTIME),
  });
}

const RUNTIME = "@mcp-codegen/runtime";

/**
 * Reads the command line and the configuration. It is called again after each change, because the configuration may
 * have changed.
 */
export type Resolve = (diagnostics: Diagnostics) => Promise<Request | undefined>;

/**
 * Generates now and after every change to an input, until the process is interrupted. If an input is invalid, the error
 * is reported and generation resumes at the next change.
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
      `Watching ${count(changes.size, "file")}; stop with Ctrl+C.`,
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

/**
 * Writes the changes to all folders, or to none if one of them contains foreign files or, without `force`, edited
 * files.
 */
export function writeAll(
  generations: readonly Generation[],
  { force, progress }: { readonly force: boolean; readonly progress: Progress },
  diagnostics: Diagnostics,
): boolean {
  for (const { target, changes } of generations) {
    checkForeign(target.folder, changes, diagnostics);
    if (!force) checkEdited(target.folder, changes, diagnostics);
  }
  if (diagnostics.hasErrors) return false;
  progress.step("Writing");
  return generations.every(({ target, changes }) => write(target.folder, changes, diagnostics));
}

/**
 * The interval, in milliseconds, at which inputs are polled. Polling is more reliable than file system events: editors
 * replace files, tools replace whole folders, and folders shared with containers emit no events.
 */
const INTERVAL = 50;

/** Observes files, and reports a change once the files are stable again. */
export class InputChanges {
  #files: readonly string[] = [];
  #seen = "";
  #isEnded = false;
  #wake: (() => void) | undefined;

  get size(): number {
    return this.#files.length;
  }

  /** Starts observing files. Must be called before the files are read, so that no change is missed. */
  observe(files: readonly string[]): void {
    this.#files = files;
    this.#seen = this.#look();
  }

  /**
   * Resolves to true once the files differ from their observed state and have stayed unchanged for one interval, and to
   * false once {@link end} has been called.
   */
  async next(): Promise<boolean> {
    let last = this.#seen;
    while (!this.#isEnded) {
      const now = this.#look();
      if (now !== this.#seen && now === last) {
        this.#seen = now;
        return true;
      }
      last = now;
      await this.#pause();
    }
    return false;
  }

  end(): void {
    this.#isEnded = true;
    this.#wake?.();
  }

  #look(): string {
    return this.#files.map(stateOf).join("\n");
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, INTERVAL);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** Returns a value that changes with every write, even if a file is replaced by another with the same time and size. */
function stateOf(file: string): string {
  try {
    const { ino, mtimeMs, ctimeMs, size } = statSync(file);
    return `${ino} ${mtimeMs} ${ctimeMs} ${size}`;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? "unreadable";
  }
}
