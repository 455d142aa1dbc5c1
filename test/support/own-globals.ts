import { afterAll } from "vitest";

const { Request, Response } = globalThis;

// `@hono/node-server` replaces them, and other files run in the same process.
afterAll(() => {
  Object.assign(globalThis, { Request, Response });
});
