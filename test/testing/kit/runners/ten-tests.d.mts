import type { RegisterTest } from "@mcp-codegen/testing";

export function register(test: RegisterTest, fails?: boolean): void;
