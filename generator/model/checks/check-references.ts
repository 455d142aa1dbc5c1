import { exampleLines, lackingNames } from "../../smallest-schema.js";
import type { Context } from "../context.js";
import type { Declaration, ReferenceType, TypeExpression, TypeofType } from "../schema-model.js";
import { typesIn } from "../walk.js";

export function checkReferences(
  own: readonly Declaration[],
  declarations: ReadonlyMap<string, Declaration>,
  context: Context,
): void {
  const isExtension = declarations.size > own.length;
  const shown = new Set<string>();
  const exampleOf = (name: string): string => {
    const lacking = lackingNames([name], (one) => declarations.has(one) || shown.has(one));
    lacking.forEach((one) => shown.add(one));
    return exampleLines(lacking);
  };
  for (const declaration of own) {
    for (const type of typesIn(declaration)) {
      if (type.kind === "omit") checkUtility("Omit", type, declarations, context);
      if (type.kind === "record") checkUtility("Record", type, declarations, context);
      if (type.kind !== "reference" && type.kind !== "typeof") continue;
      const target = declarations.get(type.name);
      if (target) checkUse(type, target, context);
      else if (!context.refused.has(type.name)) {
        refuseUnknown(type, isExtension ? "" : exampleOf(type.name), context);
      }
    }
  }
}

function checkUse(type: ReferenceType | TypeofType, target: Declaration, context: Context): void {
  if (type.kind === "reference" && target.kind === "const") {
    context.refuse(
      type.span,
      "MCG2070",
      `\`${type.name}\` is a constant, not a type.`,
      `Write \`typeof ${type.name}\`.`,
    );
  }
  if (type.kind === "typeof" && target.kind !== "const") {
    context.refuse(
      type.span,
      "MCG2068",
      `\`${type.name}\` is a type, not a constant.`,
      `Write \`${type.name}\` without \`typeof\`.`,
    );
  }
}

function checkUtility(
  name: "Omit" | "Record",
  { span }: TypeExpression,
  declarations: ReadonlyMap<string, Declaration>,
  context: Context,
): void {
  if (!declarations.has(name)) return;
  context.refuse(
    span,
    "MCG2025",
    `\`${name}\` is declared here, so it is not the utility type.`,
    "Rename the declaration.",
  );
}

function refuseUnknown(type: ReferenceType | TypeofType, example: string, context: Context): void {
  context.refuse(
    type.span,
    "MCG2069",
    `\`${type.name}\` is not declared.`,
    `Declare and export it in this file${example && ", such as below"}, or correct the name.`,
    example,
  );
}
