import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, request as httpRequest, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";

interface Instance {
  readonly process: ChildProcess;
  readonly port: number;
}

/** Servers that share only a key, behind a proxy that forwards each request to the next server. */
export class ProxiedFleet {
  url = "";
  /** True to kill and replace the process that has just answered. */
  isDeadly = false;
  /** The number of processes started so far. */
  count = 0;
  /** The number of requests forwarded to each place. */
  readonly requests: number[] = [];
  readonly #program: string;
  readonly #key: string = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("hex");
  readonly #instances: Promise<Instance>[] = [];
  readonly #proxy: Server;
  #next = 0;

  constructor(program: string) {
    this.#program = program;
    this.#proxy = createServer((request, response) => void this.#pass(request, response));
  }

  async start(size: number): Promise<this> {
    for (let at = 0; at < size; at++) {
      this.#instances.push(this.#spawn());
      this.requests.push(0);
    }
    await Promise.all(this.#instances);
    this.#proxy.listen(0, "127.0.0.1");
    await once(this.#proxy, "listening");
    this.url = `http://127.0.0.1:${(this.#proxy.address() as AddressInfo).port}/mcp`;
    return this;
  }

  async stop(): Promise<void> {
    this.#proxy.closeAllConnections();
    this.#proxy.close();
    for (const { process } of await Promise.all(this.#instances)) process.kill("SIGKILL");
  }

  #pass: (...given: Parameters<RequestListener>) => Promise<void> = async (incoming, outgoing) => {
    const at = this.#next++ % this.#instances.length;
    this.requests[at]! += 1;
    const instance = await this.#instances[at]!;
    const { method = "", url: path = "", rawHeaders } = incoming;
    const to = { host: "127.0.0.1", port: instance.port, method, path, agent: false };
    const passed = httpRequest({ ...to, headers: rawHeaders as never }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(outgoing);
      answer.on("error", () => outgoing.destroy());
      answer.on("end", () => this.isDeadly && this.#replace(at, instance));
    });
    passed.on("error", () => outgoing.destroy());
    incoming.pipe(passed);
  };

  #replace(at: number, { process }: Instance): void {
    const gone = once(process, "exit");
    process.kill("SIGKILL");
    this.#instances[at] = gone.then(() => this.#spawn());
  }

  async #spawn(): Promise<Instance> {
    this.count += 1;
    const child = spawn(process.execPath, [this.#program, this.#key], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [said] = (await once(child.stdout, "data")) as [Buffer];
    return { process: child, port: Number(said.toString()) };
  }
}
