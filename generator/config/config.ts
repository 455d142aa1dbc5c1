/** Configuration file. Each member means the same as the command-line option of that name. */
export interface Config {
  /** Revisions to generate: bundled ones, or the one that `schema` is called. */
  readonly revisions?: readonly string[];
  /** Every bundled revision, and the package that serves all of them. */
  readonly all?: boolean;
  /** Also generate one package that serves all of these revisions. */
  readonly universal?: boolean;
  /** Path of a schema.ts of your own, relative to the configuration file. */
  readonly schema?: string;
  /** Path of the facts beside it, relative to the configuration file. */
  readonly facts?: string;
  /** Extensions of the protocol, from schemas of their own. */
  readonly extensions?: readonly ExtensionConfig[];
  /** Folder for the files, relative to the configuration file. */
  readonly out?: string;
  /** Module that the generated code imports instead of `@mcp-codegen/runtime/codegen`. */
  readonly runtime?: string;
  /** Modules only, without package.json, tsconfig.json and README.md: for a folder inside of your project. */
  readonly modulesOnly?: boolean;
}

/** Configuration of the command `extension`; paths are relative to the configuration file. */
export interface ExtensionConfig {
  /** Extension id, with a prefix that you own: `com.example/maps`. */
  readonly id: string;
  /** Path of its schema. */
  readonly schema: string;
  /** Bundled revision that it extends, or path of a schema.ts. Default: the newest. */
  readonly revision?: string;
  readonly facts?: string;
  /** Folder for its files. Default: one called like the last part of its id, beside the revisions. */
  readonly out?: string;
}

/** Gives a configuration its type: `export default defineConfig({ all: true })`. Returns it unchanged. */
export function defineConfig(config: Config): Config {
  return config;
}
