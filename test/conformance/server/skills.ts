import type { Cursors } from "@mcp-codegen/runtime/features";
import type { McpServer } from "@mcp-codegen/universal";
import { registerSkills } from "@mcp-codegen/universal/skills";

const files = {
  "SKILL.md": `---
name: pdf-processing
description: Extract, fill, and assemble PDF documents
license: Apache-2.0
metadata:
  version: "2.1.0"
---

# PDF processing

Choose a template from \`templates/\`; forms are described in references/FORMS.md.
`,
  "references/FORMS.md": "# Forms\n\nFields have names.\n",
  "templates/invoice.md": "# Invoice\n",
  "templates/regional/eu-invoice.md": "# Invoice with VAT\n",
};
const refunds = {
  "SKILL.md": `---
name: refunds
description: Refund what a customer paid
---

Ask for the number of the order first.
`,
};

/** Registers skills with files, directories and a prefix, one on each page. */
export function addSkills(server: McpServer, cursors?: Cursors): Promise<void> {
  const skills = [
    { path: "pdf-processing", files },
    { path: "acme/billing/refunds", files: refunds },
  ];
  return registerSkills(server, skills, { pageSize: 1, cacheHint: { ttlMs: 60_000 }, cursors });
}
