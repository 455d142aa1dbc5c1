export type PackageManager = "npm" | "pnpm" | "yarn" | "bun";

const KNOWN: readonly PackageManager[] = ["npm", "pnpm", "yarn", "bun"];

/**
 * Detects the package manager that started this process. All of them set `npm_config_user_agent`, which the caller
 * passes. Default: npm.
 */
export function detectPackageManager(userAgent: string | undefined): PackageManager {
  const name = userAgent?.split("/")[0];
  return KNOWN.find((known) => known === name) ?? "npm";
}

export const installCommand = (manager: PackageManager): string => `${manager} install`;

/** Returns the beginning of a command that runs a script: `npm run`, `pnpm run`. */
export const runCommand = (manager: PackageManager): string => `${manager} run`;

/** Returns the command that runs the script `test`. `bun test` would start Bun's own test runner instead. */
export const testCommand = (manager: PackageManager): string =>
  manager === "bun" ? "bun run test" : `${manager} test`;

/** Returns the beginning of a command that runs the script `start` with arguments. */
export const startCommand = (manager: PackageManager): string =>
  manager === "npm" ? "npm start --" : `${manager} run start`;
