import { describeThrown } from "../wire/index.js";

/**
 * Writes to standard error what nobody caught: rejections of promises that a handler left behind, and what timers
 * and listeners throw. The process continues. Returns how to undo it.
 */
export function reportOrphans(): () => void {
  process.on("unhandledRejection", report);
  process.on("uncaughtException", report);
  return () => {
    process.off("unhandledRejection", report);
    process.off("uncaughtException", report);
  };
}

function report(thrown: unknown): void {
  console.error(`Not caught: ${shown(thrown)}`);
}

function shown(thrown: unknown): string {
  try {
    return (thrown instanceof Error && thrown.stack) || describeThrown(thrown);
  } catch {
    return describeThrown(thrown);
  }
}
