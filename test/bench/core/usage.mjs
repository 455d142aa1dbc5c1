// Loaded before a contestant. It reports the process's usage on request, and ends the process with the benchmark.
process.on("message", (message) => {
  if (message !== "usage") return;
  globalThis.gc?.();
  const { user, system } = process.cpuUsage();
  const { heapUsed: heap, rss: resident } = process.memoryUsage();
  process.send({ cpu: user + system, heap, resident });
});
process.on("disconnect", () => process.exit());
process.channel.unref();
