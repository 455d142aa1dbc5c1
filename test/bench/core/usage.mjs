// Loaded before a contestant: tells what its process used, when the benchmark asks, and ends with the benchmark.
// Costs nothing until then.
process.on("message", (message) => {
  if (message !== "usage") return;
  globalThis.gc?.();
  const { user, system } = process.cpuUsage();
  const { heapUsed, rss } = process.memoryUsage();
  const maxRss = process.resourceUsage().maxRSS * 1024;
  process.send({ cpu: user + system, heap: heapUsed, rss, maxRss });
});
process.on("disconnect", () => process.exit());
process.channel.unref();
