/**
 * One server, once, while working on it:
 * `node test/bench/dist/drivers/stdio/one.js <file> <revision> [case 0..2] [milliseconds] [node options…]`
 */
import { cases } from "./cases.js";
import { eraOf, type Revision } from "./conversation.js";
import { extents } from "./extents.js";
import { measureServer } from "./measure-server.js";

const [file = "limit.mjs", revision = "2025-11-25", index = "0", time = "3000", ...nodeArgs] =
  process.argv.slice(2);
const server = {
  name: file,
  file,
  revision: revision as Revision,
  env: { REVISION: revision, ERA: eraOf(revision as Revision) },
  isUnchecked: file === "limit.mjs",
};
const times = { ...extents.full, measured: Number(time) };
console.log(await measureServer(server, cases[Number(index)]!, times, nodeArgs));
