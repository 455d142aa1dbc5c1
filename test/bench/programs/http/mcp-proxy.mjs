import { behind, runProgram } from "./behind.mjs";

const file = new URL("../../node_modules/mcp-proxy/dist/bin/mcp-proxy.mjs", import.meta.url).href;
await runProgram(file, (port) => [
  "--port",
  port,
  "--host=127.0.0.1",
  "--server=stream",
  "--upstreamProtocol=auto",
  "--",
  ...behind,
]);
