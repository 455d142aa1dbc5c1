import { afterAll, beforeAll } from "vitest";
import { describeBehaviour } from "./suite.js";
import { Stdio } from "./wires/stdio.js";

const stdio = new Stdio();
beforeAll(() => stdio.build(), 60_000);
afterAll(() => stdio.remove());

describeBehaviour(stdio);
