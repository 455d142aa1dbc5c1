import { describe, expect, it, onTestFinished } from "vitest";
import { Random } from "../support/random.js";
import { noRedis } from "../support/redis-server.js";
import { startCountingInstances } from "./support/counting-instances.js";
import { KilledRounds } from "./support/killed-rounds.js";

/** The number of rounds, and the seed that they start from. `npm run survival:instances` runs more rounds. */
const ROUNDS = Number(process.env["MCP_ROUNDS"] ?? 12);
const SEED = Number(process.env["MCP_SEED"] ?? 20261123);

describe.skipIf(noRedis)("instances that are killed", () => {
  it(
    `lose nothing in ${ROUNDS} rounds but their pending requests, and nothing runs twice or hangs (seed ${SEED})`,
    async () => {
      const { balancer, redis, stop } = await startCountingInstances(3000);
      onTestFinished(stop);
      const rounds = await KilledRounds.start(balancer, new Random(String(SEED)));
      for (let round = 0; round < ROUNDS; round++) await rounds.kill();
      const { succeeded, lost, endangered, problems, notifications } = await rounds.finish();
      expect(problems).toEqual([]);
      if (lost.size > endangered) expect([...lost]).toEqual([]);
      expect(succeeded.length).toBeGreaterThan(ROUNDS * 5);
      expect(notifications.received).toEqual(notifications.told);
      for (const id of [...succeeded, ...lost.keys()]) {
        const effects = Number(await redis.cli("get", `effect:${id}`));
        const isDone = succeeded.includes(id);
        expect([id, effects]).toEqual([id, isDone ? 1 : Math.min(effects, 1)]);
      }
    },
    60_000 + ROUNDS * 5000,
  );
});
