// Loaded before a contestant: tells the usage of the process when asked, and ends it with the benchmark.
process.on("message", (message) => {
  if (message !== "usage") return;
  globalThis.gc?.();
  const { user, system } = process.cpuUsage();
  process.send({ cpu: user + system, heap: process.memoryUsage().heapUsed });
});
process.on("disconnect", () => process.exit());
process.channel.unref();
