// Makes calls, 64 of them in flight, from inside the client's process, and reports how much CPU a call costs it.
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";

const IN_FLIGHT = 64;
const text = "Good morning, everybody";
export const args = { text, times: 2, tone: "calm" };
export const isStateless = process.env.KIND === "stateless";

/** The limit server, in a process of its own. */
export const server = {
  command: process.execPath,
  args: [fileURLToPath(new URL("../stdio/limit.mjs", import.meta.url))],
  env: { KIND: process.env.KIND, NODE_ENV: "production" },
};

/** @param call - function that returns a promise of the tool's result */
export async function measure(call) {
  expectRight(await call());
  await calls(call, JSON.parse(process.env.WARM_UP));
  const time = Number(process.env.MEASURED);
  const before = process.cpuUsage();
  const made = await calls(call, { time, requests: 0, longest: time });
  const { user, system } = process.cpuUsage(before);
  expectRight(await call());
  process.send({ cpu: (user + system) / made });
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
