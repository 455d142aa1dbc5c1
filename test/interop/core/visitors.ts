import { join } from "node:path";
import type { Visits } from "./judge.js";
import type { Packages } from "./packages.js";
import { Scratch } from "./scratch.js";
import { type Target, type Task, visit } from "./visit.js";

/** The official clients that ours is compared with. */
const rivals = {
  "SDK 1.32": {
    package: "@modelcontextprotocol/sdk",
    version: "1.32.2",
    program: "visit-sdk1.mjs",
  },
  "SDK 2.4": {
    package: "@modelcontextprotocol/client",
    version: "2.4.0",
    program: "visit-sdk2.mjs",
  },
} as const;

export const rivalNames: readonly string[] = Object.keys(rivals);

/** A server's address for a visit, ready for one client. */
export interface Place {
  readonly target: Target;
  end(): Promise<void>;
}

/** The programs of the clients that visit servers: ours and the official ones. */
export class Visitors {
  readonly #programs: ReadonlyMap<string, string>;

  private constructor(programs: ReadonlyMap<string, string>) {
    this.#programs = programs;
  }

  static async of(packages: Packages, ours: string): Promise<Visitors> {
    const programs = new Map([["ours", join(ours, "programs/visit-ours.mjs")]]);
    for (const [name, rival] of Object.entries(rivals))
      programs.set(name, join(await packages.folder(rival), "programs", rival.program));
    return new Visitors(programs);
  }

  /**
   * Visits a server with each client in turn, each in its own scratch. `left` has the processes that our client's visit
   * left behind.
   */
  async visitAll(
    place: (scratch: Scratch) => Promise<Place>,
    task: Omit<Task, "target">,
  ): Promise<Visits & { left: string[] }> {
    const seen: Record<string, Awaited<ReturnType<typeof visit>>> = {};
    const left: string[] = [];
    for (const [name, program] of this.#programs) {
      const scratch = new Scratch();
      let ready: Place | undefined;
      try {
        ready = await place(scratch);
        const filled = task.read === undefined ? undefined : scratch.fill(task.read);
        const call =
          task.call && (JSON.parse(scratch.fill(JSON.stringify(task.call))) as Task["call"]);
        seen[name] = await visit(program, { target: ready.target, call, read: filled }, scratch);
      } catch (error) {
        const note = String((error as Error).message).slice(0, 300);
        seen[name] = { steps: { connect: { ok: false, note } }, reported: [] };
      } finally {
        await ready?.end();
        if (name === "ours") left.push(...scratch.end());
        else scratch.end();
      }
    }
    const { ours, ...official } = seen;
    return { ours: ours!, official, left };
  }
}
