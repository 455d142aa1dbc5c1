// How many calls of `echo` through a pair a second of CPU time is good for: one after the other, and many at once.
// Tells the benchmark, and ends.
const inFlight = 64;
/** Of each measurement, in milliseconds of CPU; the warm-up takes twice as long. */
const period = Number(process.env.PERIOD);

function check(result, text) {
  if (result?.content?.[0]?.text !== text)
    throw new Error(`Wrong answer: ${JSON.stringify(result)}`);
}

function spentSince(start) {
  const { user, system } = process.cpuUsage(start);
  return user + system;
}

/** Calls until so much CPU is spent, so many at once. */
async function callFor(milliseconds, lanes, call) {
  const start = process.cpuUsage();
  let calls = 0;
  let isOver = false;
  const lane = async () => {
    while (!isOver) {
      await call("hello");
      // To ask costs as much as a call.
      if (++calls % 512 === 0) isOver = spentSince(start) >= milliseconds * 1000;
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return (calls / spentSince(start)) * 1e6;
}

/** @param call - takes the text, and promises the result */
export async function measure(call) {
  check(await call("first"), "first");
  await callFor(2 * period, 1, call);
  const alone = await callFor(period, 1, call);
  await callFor(period, inFlight, call);
  const together = await callFor(period, inFlight, call);
  check(await call("last"), "last");
  process.send({ alone, together }, () => process.exit());
}
