/** Reports the server's port to the benchmark. */
export function tellPort(server) {
  server.listen(0, "127.0.0.1", () => process.send(server.address().port));
}
