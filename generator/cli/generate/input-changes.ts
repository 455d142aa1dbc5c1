import { statSync } from "node:fs";

/**
 * Milliseconds between looks at the inputs. Looking beats being told: editors replace files, tools replace whole
 * folders, and shared folders of containers tell nothing.
 */
const INTERVAL = 50;

/** Tells when files have changed and come to rest. */
export class InputChanges {
  #files: readonly string[] = [];
  #seen = "";
  #isEnded = false;
  #wake: (() => void) | undefined;

  /** Number of observed files. */
  get size(): number {
    return this.#files.length;
  }

  /** Starts to observe files. Call this before you read them. */
  observe(files: readonly string[]): void {
    this.#files = files;
    this.#seen = this.#look();
  }

  /** Waits until the files differ from when they were observed, and stay so for one look. False once ended. */
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

/** Changes with every write; also when the file is replaced by one of the same age and size. */
function stateOf(file: string): string {
  try {
    const { ino, mtimeMs, ctimeMs, size } = statSync(file);
    return `${ino} ${mtimeMs} ${ctimeMs} ${size}`;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? "unreadable";
  }
}
