import { behind, runProgram } from "./behind.mjs";

const file = new URL("../../node_modules/supergateway/dist/index.js", import.meta.url).href;
await runProgram(file, (port) => [
  "--stdio",
  behind.join(" "),
  "--outputTransport=streamableHttp",
  "--stateful",
  "--port",
  port,
  "--logLevel=none",
]);
