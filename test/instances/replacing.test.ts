import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { connect, revisions } from "../../generated/universal/index.js";
import { bundle } from "../behaviour/support/bundle.js";
import { noRedis, RedisServer } from "../support/redis-server.js";
import { Balancer } from "./support/balancer.js";

const folder = mkdtempSync(join(tmpdir(), "mcp-instances-"));
const program = join(folder, "instance.mjs");

beforeAll(() => bundle("test/instances/support/instance-program.ts", program), 60_000);
afterAll(() => rmSync(folder, { recursive: true }));

const only = (id: string) => revisions.filter((revision) => revision.id === id);

/** Starts two instances behind a balancer, which is sticky unless their sessions are kept in Redis. */
async function balanced(url?: string): Promise<Balancer> {
  const isShared = url !== undefined;
  const balancer = new Balancer(!isShared, program, ...(isShared ? [url] : []));
  onTestFinished(() => balancer.stop());
  return balancer.start(2);
}

/**
 * Replaces all instances twice while clients send calls.
 *
 * @returns the ids of the processes that have left
 */
async function replaceAll(balancer: Balancer, callers: Callers): Promise<number[]> {
  const pids: number[] = [];
  for (let turn = 0; turn < 4; turn++) {
    const [oldest] = balancer.instances;
    await balancer.add();
    pids.push(oldest!.process.pid!);
    expect(await balancer.remove(oldest!, () => callers.opened())).toEqual({ code: 0, line: "[]" });
  }
  return pids;
}

/** Clients that send calls without a pause until they are stopped. */
class Callers {
  readonly failures: string[] = [];
  /** Maps each process to the number of calls that it answered. */
  readonly answers = new Map<string, number>();
  readonly #url: string;
  readonly #running: Promise<void>[] = [];
  readonly #opening = new Set<Promise<unknown>>();
  #isOver = false;

  constructor(url: string) {
    this.#url = url;
  }

  /** Starts a stateless client, whose calls may each go to a different instance. */
  stateless(tool: string): void {
    this.#start(async () => {
      const client = await this.#connect("2026-07-28");
      while (!this.#isOver) await this.#call(client, tool);
      await client.close();
    });
  }

  /**
   * Starts a client that opens one session after another, each for a single call. A session is over before its instance
   * stops serving.
   */
  sessions(revision: string, tool: string): void {
    this.#start(async () => {
      while (!this.#isOver) {
        const opening = this.#connect(revision);
        this.#opening.add(opening);
        const client = await opening;
        this.#opening.delete(opening);
        await this.#call(client, tool);
        await client.close();
      }
    });
  }

  /** Starts a client that sends all calls in one session, which continues at any available instance. */
  lasting(revision: string, tool: string): void {
    this.#start(async () => {
      const client = await this.#connect(revision, true);
      while (!this.#isOver) await this.#call(client, tool);
      await client.close();
    });
  }

  /** Waits for the sessions that are being opened. Only their call is left after that. */
  async opened(): Promise<void> {
    await Promise.allSettled(this.#opening);
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#running);
  }

  #connect(revision: string, listen = false): ReturnType<typeof connect> {
    const http = { maxRetryAfter: 0, listen, endSession: listen, restart: false };
    return connect(this.#url, { revisions: only(revision), eras: false, http });
  }

  async #call(client: Awaited<ReturnType<typeof connect>>, tool: string): Promise<void> {
    let reports = 0;
    const onprogress = (): void => void (reports += 1);
    const { content } = await client.callTool(tool, {}, tool === "report" ? { onprogress } : {});
    if (tool === "report" && reports !== 1) throw new Error(`${reports} reports`);
    const [{ text }] = content as unknown as [{ text: string }];
    this.answers.set(text, (this.answers.get(text) ?? 0) + 1);
  }

  #start(run: () => Promise<void>): void {
    const running = run().catch((error: unknown) => {
      if (this.#isOver && this.failures.length > 20) return;
      this.failures.push(String(error));
    });
    this.#running.push(running);
  }
}

describe("instances that are replaced one after the other", () => {
  it("lose no request of 200 clients that send calls all the time, and refuse none (P04)", async () => {
    const balancer = await balanced();
    const callers = new Callers(balancer.url);
    for (let count = 0; count < 70; count++) callers.stateless("work");
    for (let count = 0; count < 60; count++) callers.stateless("report");
    for (let count = 0; count < 10; count++) callers.stateless("long");
    for (const tool of ["work", "report", "long"])
      for (const revision of ["2025-11-25", "2025-03-26"])
        for (let count = 0; count < 10; count++) callers.sessions(revision, tool);
    await sleep(500);
    const pids = await replaceAll(balancer, callers);
    await callers.stop();
    expect([callers.failures, balancer.failures]).toEqual([[], []]);
    for (const pid of pids) expect(callers.answers.get(String(pid))).toBeGreaterThan(0);
    expect(callers.answers.size).toBe(6);
  }, 120_000);

  it.skipIf(noRedis)(
    "continue every session if sessions are stored in Redis, without stickiness (P04)",
    async () => {
      const redis = await RedisServer.start();
      onTestFinished(() => redis.stop());
      const balancer = await balanced(redis.url);
      const callers = new Callers(balancer.url);
      for (const tool of ["work", "report", "long"])
        for (const revision of ["2025-11-25", "2025-06-18", "2025-03-26"])
          for (let count = 0; count < 8; count++) callers.lasting(revision, tool);
      for (let count = 0; count < 20; count++) callers.stateless("work");
      await sleep(500);
      const pids = await replaceAll(balancer, callers);
      await callers.stop();
      expect([callers.failures, balancer.failures]).toEqual([[], []]);
      for (const pid of pids) expect(callers.answers.get(String(pid))).toBeGreaterThan(0);
    },
    120_000,
  );
});
