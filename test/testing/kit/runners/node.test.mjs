// A file for node:test. The variable KIT_FAILS adds a failing test.
import { test } from "node:test";
import { register } from "./ten-tests.mjs";

register(test, Boolean(process.env.KIT_FAILS));
