import { describe, expect, it, onTestFinished } from "vitest";
import { ask, envelope, META } from "../http/server/stateless/support/raw-http.js";
import { noRedis } from "../support/redis-server.js";
import { startCountingInstances } from "./support/counting-instances.js";

describe.skipIf(noRedis)("the last step of a call", () => {
  it("takes effect once, though a client repeats it 100 times at three instances", async () => {
    const { balancer, redis, stop } = await startCountingInstances();
    onTestFinished(stop);
    const { url } = balancer;
    const asking = { meta: envelope({ [META.clientCapabilities]: { roots: {} } }) };
    for (const id of ["one", "two", "three"]) {
      const call = { name: "ask", arguments: { id } };
      const first = await ask(url, "tools/call", call, asking);
      const { requestState, inputRequests } = first.message.result;
      const [key] = Object.keys(inputRequests);
      const inputResponses = { [key!]: { roots: [{ uri: "file:///one" }] } };
      const last = { ...call, requestState, inputResponses };
      const repeats = Array.from({ length: 100 }, () => ask(url, "tools/call", last, asking));
      const answers = await Promise.all(repeats);
      const done = answers.filter(({ message }) => message.result?.content);
      expect(done.map(({ message }) => message.result.content[0].text)).toEqual([`${id} 1`]);
      const refused = answers.filter(({ message }) => message.error?.code === -32602);
      expect(refused).toHaveLength(99);
      expect(await redis.cli("get", `effect:${id}`)).toBe("1");
    }
  }, 60_000);
});
