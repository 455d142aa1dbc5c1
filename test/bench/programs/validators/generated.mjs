import { validators as session } from "@mcp-codegen/2025-11-25";
import { validators as stateless } from "@mcp-codegen/2026-07-28";

const byRevision = { "2025-11-25": session, "2026-07-28": stateless };

export const check = (revision, type) => byRevision[revision][type];
