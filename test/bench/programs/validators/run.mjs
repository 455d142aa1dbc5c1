// Runs one contestant on all messages and sends the nanoseconds per message, by type and kind.
import { messages } from "./messages.mjs";

const contestant = process.env.CONTESTANT;
const milliseconds = Number(process.env.MILLISECONDS);
const { check, takesText = false } = await import(`./${contestant}.mjs`);

/** The minimum length of a sample, in nanoseconds. A smoke run has no time to measure and needs no useful samples. */
const SAMPLE = 50_000n;
const mostPasses = milliseconds === 0 ? 1 : 1024;
const cases = [];
for (const [type, { revision, texts }] of Object.entries(messages)) {
  const validate = await check(revision, type);
  if (!validate) continue;
  for (const [kind, variants] of Object.entries(texts)) {
    cases.push({
      kind,
      name: `${type}, ${kind}`,
      validate,
      variants,
      wanted: takesText || kind === "valid",
    });
  }
}

const fresh = (variants) => (takesText ? variants : variants.map((text) => JSON.parse(text)));

/** Measures the time of the given number of passes over all values. */
function span({ name, validate, wanted }, values, passes) {
  let right = 0;
  const start = process.hrtime.bigint();
  for (let pass = 0; pass < passes; pass++) {
    for (let index = 0; index < values.length; index++) {
      if (validate(values[index]) === wanted) right++;
    }
  }
  const time = process.hrtime.bigint() - start;
  if (right !== passes * values.length) throw new Error(`${contestant} is wrong about ${name}`);
  return time;
}

const figures = {};

/**
 * First runs all cases together, as in a process that handles all of them, so that the compiler does not optimise for
 * one alone.
 */
function measure(some) {
  const warm = performance.now() + 5 * milliseconds;
  for (let round = 0; round < 2 || performance.now() < warm; round++) {
    for (const one of some) span(one, fresh(one.variants), one.variants.length < 64 ? 1 : 16);
  }
  for (const one of some) figures[one.name] = timeOf(one);
}

function timeOf(one) {
  let passes = 1;
  while (passes < mostPasses && span(one, fresh(one.variants), passes) < SAMPLE) passes *= 2;
  const samples = [];
  const end = performance.now() + milliseconds;
  while (samples.length < 3 || performance.now() < end) {
    const time = span(one, fresh(one.variants), passes);
    samples.push(Number(time) / passes / one.variants.length);
  }
  samples.sort((a, b) => a - b);
  return samples[samples.length >> 1];
}

// Broken messages are rare, so their effects on compiled code come after the valid ones have been measured.
measure(cases.filter(({ kind }) => kind === "valid"));
measure(cases.filter(({ kind }) => kind !== "valid"));
process.send(figures, () => process.exit());
