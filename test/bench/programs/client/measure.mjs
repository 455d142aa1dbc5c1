// Calls with 64 in flight, from inside the client's process, and tells what that process used for them.
import assert from "node:assert/strict";

const IN_FLIGHT = 64;
const text = "Good morning, everybody";
export const args = { text, times: 2, tone: "calm" };
export const isStateless = process.env.ERA === "stateless";

/** The bare server, which is a process of its own. */
export const server = {
  command: process.execPath,
  args: [new URL("../stdio/limit.mjs", import.meta.url).pathname],
  env: { ERA: process.env.ERA, NODE_ENV: "production" },
};

/** @param call gives a promise of the tool's result */
export async function measure(call) {
  expectRight(await call());
  await calls(call, JSON.parse(process.env.WARM_UP));
  const time = Number(process.env.MEASURED);
  const before = process.cpuUsage();
  const start = performance.now();
  const made = await calls(call, { time, requests: 0, longest: time });
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(before);
  expectRight(await call());
  process.send({ cpu: (user + system) / made, perSecond: made / seconds });
}

function expectRight({ content }) {
  assert.deepEqual(content, [{ type: "text", text }]);
}

async function calls(call, { time, requests, longest }) {
  const start = performance.now();
  let made = 0;
  const goesOn = () => {
    const passed = performance.now() - start;
    return passed < time || (made < requests && passed < longest);
  };
  const go = async () => {
    while (goesOn()) {
      const { content } = await call();
      if (content.length !== 1) throw new Error("A wrong answer");
      made += 1;
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, go));
  return made;
}
