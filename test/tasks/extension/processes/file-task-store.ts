import { randomUUID } from "node:crypto";
import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { StoredTask, TaskStore } from "@mcp-codegen/universal/tasks";

const FINAL = ["completed", "failed", "cancelled"];

/**
 * Stores tasks in a folder that several processes share: one file for each version, which only one process can create.
 */
export class FileTaskStore implements TaskStore {
  readonly isShared = true;
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
  }

  add(stored: StoredTask): void {
    this.#write(stored);
  }

  get(taskId: string): StoredTask | undefined {
    const versions = readdirSync(this.#folder).filter((name) => name.startsWith(`${taskId}.`));
    const newest = Math.max(-1, ...versions.map((name) => Number(name.split(".")[1])));
    if (newest < 0) return undefined;
    return JSON.parse(readFileSync(this.#path(taskId, newest), "utf8")) as StoredTask;
  }

  update(stored: StoredTask): boolean {
    const before = this.get(stored.task.taskId);
    if (!before || FINAL.includes(before.task.status)) return false;
    if (stored.version !== before.version + 1) return false;
    try {
      this.#write(stored);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
      throw error;
    }
  }

  list(): readonly StoredTask[] {
    return [];
  }

  delete(): void {}

  #write(stored: StoredTask): void {
    const path = this.#path(stored.task.taskId, stored.version);
    // The file is complete when others see it, and is created only if it does not exist yet.
    const draft = join(this.#folder, `draft-${randomUUID()}`);
    writeFileSync(draft, JSON.stringify(stored));
    try {
      linkSync(draft, path);
    } finally {
      rmSync(draft);
    }
  }

  #path(taskId: string, version: number): string {
    return join(this.#folder, `${taskId}.${version}`);
  }
}
