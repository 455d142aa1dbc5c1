import { connect, createServer } from "node:net";
import { fileURLToPath } from "node:url";

/** The command of the server behind a bridge. */
export const behind = [
  process.execPath,
  fileURLToPath(new URL("../stdio/universal.mjs", import.meta.url)),
];

/** Runs a package's program in this process, as its command line would, and reports its port once it listens. */
export async function runProgram(file, argsOf) {
  const port = await new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port: free } = server.address();
      server.close(() => resolve(free));
    });
  });
  process.argv = [process.execPath, file, ...argsOf(String(port))];
  await import(file);
  const attempt = () => {
    const socket = connect(port, "127.0.0.1");
    socket.on("connect", () => {
      socket.destroy();
      process.send(port);
    });
    socket.on("error", () => setTimeout(attempt, 20));
  };
  attempt();
}
