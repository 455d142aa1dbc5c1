// Loaded before a contestant: tells the usage of the process when asked, and ends it with the benchmark.
process.on("message", (message) => {
  if (message !== "usage") return;
  globalThis.gc?.();
  const { user, system } = process.cpuUsage();
  const { heapUsed: heap, rss: resident } = process.memoryUsage();
  process.send({ cpu: user + system, heap, resident });
});
process.on("disconnect", () => process.exit());
process.channel.unref();
