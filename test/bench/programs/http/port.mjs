/** Tells the benchmark where the server is found. */
export function tellPort(server) {
  server.listen(0, "127.0.0.1", () => process.send(server.address().port));
}
