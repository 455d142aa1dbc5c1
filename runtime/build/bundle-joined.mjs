import { basename, posix } from "node:path";
import { bundleModules } from "./bundle-modules.mjs";
import { joinEntries } from "./join-entries.mjs";
import { leaveOut } from "./leave-out.mjs";

/**
 * The modules of a package that publishes several entries in one file: whoever imports some of them loads one file. The
 * others import from there what it has; what they need has to be exported by one of those entries.
 *
 * @param files - entries by file, as `packageEntries` gives them
 */
export async function bundleJoined(dist, files) {
  const joined = [...files].find(([, entries]) => entries.length > 1);
  const alone = [...files]
    .filter(([name]) => name !== joined?.[0])
    .map(([name, [entry]]) => [name, entry]);
  if (joined === undefined) return bundleModules(dist, Object.fromEntries(alone));

  const [file, entries] = joined;
  const text = await joinEntries(dist, entries);
  const main = await bundleModules(dist, { [file]: JOINED }, { plugins: [supply(text)] });
  const bundles = [main];
  for (const [name, entry] of alone) {
    const plugins = [
      leaveOut("leave-to-joined", (module) => (main.modules.has(module) ? JOINED : null)),
    ];
    const path = posix.relative(posix.dirname(`/${name}`), `/${file}.js`);
    bundles.push(
      await bundleModules(dist, { [name]: entry }, { plugins }, { paths: { [JOINED]: path } }),
    );
  }
  return {
    files: bundles.flatMap((one) => one.files),
    modules: new Set(bundles.flatMap((one) => [...one.modules])),
  };
}

function supply(text) {
  return {
    name: "supply-joined",
    resolveId: (id) => (isJoined(id) ? id : null),
    load: (id) => (isJoined(id) ? text : null),
  };
}

function isJoined(id) {
  return basename(id) === `${JOINED}.js`;
}

const JOINED = "joined";
