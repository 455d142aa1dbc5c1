import { afterAll } from "vitest";

const { Request, Response } = globalThis;

// `@hono/node-server` replaces these globals, and other files run in the same process.
afterAll(() => {
  Object.assign(globalThis, { Request, Response });
});
