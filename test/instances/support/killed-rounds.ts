import { setTimeout as sleep } from "node:timers/promises";
import { connect, revisions } from "../../../generated/universal/index.js";
import type { Random } from "../../support/random.js";
import type { Balancer } from "./balancer.js";

type Client = Awaited<ReturnType<typeof connect>>;

export interface RoundsOutcome {
  /** The names of the calls that were answered correctly. */
  readonly succeeded: readonly string[];
  /** The errors of the calls that failed, by call name. */
  readonly lost: ReadonlyMap<string, string>;
  /** The number of requests that were under way at the killed instances. */
  readonly endangered: number;
  readonly problems: readonly string[];
  /** The notifications that were sent, and how often each was received, by name. */
  readonly notifications: { readonly told: object; readonly received: object };
}

/** The time in milliseconds after which a call counts as hanging: a lease, plus what a busy machine needs. */
const PATIENCE = 30_000;

/** Rounds in which clients send calls without a pause while one instance after another is killed. */
export class KilledRounds {
  readonly #balancer: Balancer;
  readonly #random: Random;
  readonly #clients: Client[] = [];
  readonly #calling: Promise<void>[] = [];
  readonly #succeeded: string[] = [];
  readonly #lost = new Map<string, string>();
  readonly #problems: string[] = [];
  readonly #notified: Record<string, number> = {};
  readonly #received: Record<string, number> = {};
  #endangered = 0;
  #calls = 0;
  #isOver = false;

  private constructor(balancer: Balancer, random: Random) {
    this.#balancer = balancer;
    this.#random = random;
  }

  static async start(balancer: Balancer, random: Random): Promise<KilledRounds> {
    const rounds = new KilledRounds(balancer, random);
    for (const { id } of revisions.filter((one) => one.id !== "2024-11-05")) {
      for (const kind of ["take-effect", "ask", "count"]) await rounds.#startCalling(id, kind);
    }
    await rounds.#listen();
    return rounds;
  }

  /** Kills an instance while calls are under way; another one takes its place. */
  async kill(): Promise<void> {
    await this.#balancer.add();
    await sleep(this.#random.below(500));
    const victim = this.#random.pick(this.#balancer.instances);
    this.#endangered += this.#balancer.kill(victim);
    await this.#notifyChanges();
  }

  async finish(): Promise<RoundsOutcome> {
    await sleep(1000);
    this.#isOver = true;
    await Promise.all(this.#calling);
    const deadline = performance.now() + 10_000;
    const isReceived = (): boolean => Object.keys(this.#notified).every((id) => this.#received[id]);
    while (!isReceived() && performance.now() < deadline) await sleep(50);
    await Promise.all(this.#clients.map((client) => client.close()));
    const told = Object.fromEntries(Object.keys(this.#notified).map((id) => [id, 1]));
    const known = Object.entries(this.#received).filter(([id]) => id in told);
    return {
      succeeded: this.#succeeded,
      lost: this.#lost,
      endangered: this.#endangered,
      problems: this.#problems,
      notifications: { told, received: Object.fromEntries(known) },
    };
  }

  async #client(revision: string): Promise<Client> {
    const client = await connect(this.#balancer.url, {
      revisions: revisions.filter(({ id }) => id === revision),
      eras: false,
      http: { restart: false, maxRetryAfter: 0, reconnectDelay: 50 },
      timeout: PATIENCE,
      onerror: () => {},
      roots: [{ uri: "file:///one" }, { uri: "file:///two" }],
    } as Parameters<typeof connect>[1]);
    this.#clients.push(client);
    return client;
  }

  async #startCalling(revision: string, kind: string): Promise<void> {
    const client = await this.#client(revision);
    const call = async (): Promise<void> => {
      while (!this.#isOver) await this.#call(client, kind, revision);
    };
    this.#calling.push(call());
  }

  async #call(client: Client, kind: string, revision: string): Promise<void> {
    const id = `${revision}-${kind}-${this.#calls++}`;
    const args = kind === "count" ? { events: 20, pause: 100 } : { id };
    const expected = { "take-effect": id, ask: `${id} 2`, count: "counted 20" }[kind];
    const start = performance.now();
    try {
      const { content } = await client.callTool(kind, args);
      const [{ text }] = content as unknown as [{ text: string }];
      if (text !== expected) this.#problems.push(`${id} was answered ${text}`);
      else if (kind === "take-effect") this.#succeeded.push(id);
    } catch (error) {
      const took = Math.round(performance.now() - start);
      if (took >= PATIENCE) this.#problems.push(`${id} hung`);
      if (/session/i.test(String(error))) this.#problems.push(`${id}: ${String(error)}`);
      this.#lost.set(id, String(error));
      await sleep(20);
    }
  }

  /** Subscribes to a resource with a separate client, which sends no other requests. */
  async #listen(): Promise<void> {
    const client = await this.#client("2025-11-25");
    await client.subscribe("news:///all", (uri) => {
      const id = String(uri).split("/").at(-1)!;
      this.#received[id] = (this.#received[id] ?? 0) + 1;
    });
  }

  async #notifyChanges(): Promise<void> {
    const id = `all/${this.#calls++}`;
    const client = await this.#client("2026-07-28");
    try {
      await client.callTool("tell", { id });
      this.#notified[id.slice(4)] = 1;
    } catch {
      // Either the notification was not sent, or the response was lost.
    }
  }
}
