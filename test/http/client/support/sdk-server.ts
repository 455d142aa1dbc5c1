import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { root } from "../../../support/pack.js";

export type SdkMode = "events" | "json" | "resumable" | "stateless" | "sse";

/** A server that uses the official SDK and runs in its own process. */
export class SdkServer {
  readonly url: string;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, url: string) {
    this.#child = child;
    this.url = url;
  }

  static async start(generation: "v1" | "v2", mode: SdkMode): Promise<SdkServer> {
    const file = join(root, "test/fixtures/peers/sdk-http-server.mjs");
    const child = spawn(process.execPath, [file, generation, mode], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [printed] = (await once(child.stdout, "data")) as [Buffer];
    return new SdkServer(child, printed.toString().trim());
  }

  async stop(): Promise<void> {
    this.#child.kill();
    await once(this.#child, "exit");
  }
}
