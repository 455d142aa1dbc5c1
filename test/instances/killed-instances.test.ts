import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { bundle } from "../behaviour/support/bundle.js";
import { Random } from "../support/random.js";
import { noRedis, RedisServer } from "../support/redis-server.js";
import { Balancer } from "./support/balancer.js";
import { KilledRounds } from "./support/killed-rounds.js";

/** Rounds, and where they begin: `npm run survival:instances` asks for more of them. */
const ROUNDS = Number(process.env["MCP_ROUNDS"] ?? 12);
const SEED = Number(process.env["MCP_SEED"] ?? 20261123);

const folder = mkdtempSync(join(tmpdir(), "mcp-killed-instances-"));
const program = join(folder, "instance.mjs");

beforeAll(() => bundle("test/instances/support/counting-program.ts", program), 60_000);
afterAll(() => rmSync(folder, { recursive: true }));

describe.skipIf(noRedis)("instances that are killed", () => {
  it(
    `lose nothing in ${ROUNDS} rounds but what they worked on, and nothing happens twice or hangs (seed ${SEED})`,
    async () => {
      const redis = await RedisServer.start();
      onTestFinished(() => redis.stop());
      const balancer = new Balancer(false, program, redis.url, "3000");
      onTestFinished(() => balancer.stop());
      await balancer.start(3);
      const rounds = await KilledRounds.start(balancer, new Random(String(SEED)));
      for (let round = 0; round < ROUNDS; round++) await rounds.kill();
      const { succeeded, lost, endangered, problems, news } = await rounds.finish();
      expect(problems).toEqual([]);
      if (lost.size > endangered) expect([...lost]).toEqual([]);
      expect(succeeded.length).toBeGreaterThan(ROUNDS * 5);
      expect(news.heard).toEqual(news.told);
      for (const id of [...succeeded, ...lost.keys()]) {
        const effects = Number(await redis.cli("get", `effect:${id}`));
        const isDone = succeeded.includes(id);
        expect([id, effects]).toEqual([id, isDone ? 1 : Math.min(effects, 1)]);
      }
    },
    60_000 + ROUNDS * 5000,
  );
});
