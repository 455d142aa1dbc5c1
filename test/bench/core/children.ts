import type { ChildProcess } from "node:child_process";

const running = new Set<ChildProcess>();

/** Sees to it that a process does not outlive this one, even if it is too busy to notice. */
export function own<Child extends ChildProcess>(child: Child): Child {
  running.add(child);
  return child.once("exit", () => running.delete(child));
}

/** To be called once: whoever stops the benchmark stops all that it has started. */
export function endChildrenAtExit(): void {
  process.on("exit", () => {
    for (const child of running) child.kill("SIGKILL");
  });
  process.on("SIGINT", () => process.exit(130));
  process.on("SIGTERM", () => process.exit(143));
}
