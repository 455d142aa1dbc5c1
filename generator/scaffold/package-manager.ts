export type PackageManager = "npm" | "pnpm" | "yarn" | "bun";

const KNOWN: readonly PackageManager[] = ["npm", "pnpm", "yarn", "bun"];

/**
 * Detects the package manager that started this process by the variable `npm_config_user_agent`, which all of them set.
 * Default: npm.
 */
export function detectPackageManager(userAgent: string | undefined): PackageManager {
  const name = userAgent?.split("/")[0];
  return KNOWN.find((known) => known === name) ?? "npm";
}

export const installCommand = (manager: PackageManager): string => `${manager} install`;

/** Returns the command that runs scripts, to be followed by the name of one: `npm run`, `pnpm run`. */
export const runCommand = (manager: PackageManager): string => `${manager} run`;

/** Returns the command that runs the script `test`. `bun test` would start Bun's own test runner instead. */
export const testCommand = (manager: PackageManager): string =>
  manager === "bun" ? "bun run test" : `${manager} test`;

/** Returns the command that runs the script `start` with additional arguments. */
export const startCommand = (manager: PackageManager): string =>
  manager === "npm" ? "npm start --" : `${manager} run start`;
