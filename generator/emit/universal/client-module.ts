import type { MethodFamily } from "@mcp-codegen/runtime";
import { paramsShape } from "../../plan/families.js";
import type { OutputFile } from "../../plan/file-plan.js";
import type { Pager, RevisionPlan, Stub } from "../../plan/revision-plan.js";
import type { UniversalPlan } from "../../plan/universal-plan.js";
import {
  finalResults,
  pagedItem,
  sendParams,
  stubMethod,
  stubParameter,
} from "../stub-signatures.js";
import { stubDoc } from "../method-doc.js";
import { type Code, code, identifier, join, literal } from "../printer/code.js";
import { Imports, print } from "../printer/module.js";
import { jsDoc } from "../printer/doc.js";
import { runtimeSymbol, schemaType } from "../runtime-symbol.js";
import { renderTemplate } from "../template.js";
import { header } from "./header.js";

export function emitClientModule(plan: UniversalPlan): OutputFile {
  const { newestPlan, newest, stubs } = plan;
  const imports = new Imports();
  const methods = stubs.flatMap((stub) => {
    if (stub.pager) return listMethods(stub, stub.pager, newestPlan);
    const family = newestPlan.families.find(({ use, by }) => use === stub.method.method && by);
    return [family ? useMethod(stub, family, newestPlan) : stubMethod(stub, newestPlan)];
  });
  const view = { newest, stubs: methods.map((method) => print(method, imports)) };
  const text = renderTemplate("universal/mcp-client.ts", {
    ...view,
    header: header(plan),
    imports: imports.toString(),
  });
  return { path: "mcp-client.ts", text };
}

function useMethod({ method, name }: Stub, { by = "" }: MethodFamily, plan: RevisionPlan): Code {
  const doc = stubDoc(method, plan);
  const params = sendParams(method, plan)!.type;
  const options = code`options?: ${runtimeSymbol(plan, "RequestOptions")}`;
  const results = join(finalResults(method), code` | `);
  const use = code`return this.use(${literal(method.method)}, ${literal(by)}`;
  const text = `${doc.text}\n\nTakes the \`${by}\`, or parameters in their wire form.`;
  const start = code`${jsDoc({ ...doc, text })}${identifier(name)}`;
  const args = paramsShape(method.params!.type, plan.protocol, plan.shapes)?.members.get(
    "arguments",
  );
  if (args === undefined) {
    return code`${start}(${identifier(by)}: string | ${params}, ${options}): Promise<${results}> {
    ${use}, ${identifier(by)}, undefined, options);
  }`;
  }
  const type = code`${schemaType(method.params!.type)}["arguments"]`;
  return code`${start}(${identifier(by)}: string, args?: ${type}, ${options}): Promise<${results}>;
  ${identifier(name)}(params: ${params}, ${options}): Promise<${results}>;
  ${identifier(name)}(item: unknown, second?: unknown, ${options}): Promise<${results}> {
    ${use}, item, second, options);
  }`;
}

function listMethods(stub: Stub, pager: Pager, plan: RevisionPlan): Code[] {
  const { method, name } = stub;
  const doc = stubDoc(method, plan);
  const tags = doc.tags.filter((tag) => tag.name === "deprecated");
  const options = code`options?: ${runtimeSymbol(plan, "PageOptions")}`;
  const given = code`${stubParameter(method, plan)}, ${options}`;
  const list = code`${literal(method.method)}, ${literal(pager.member)}`;
  const all =
    "Returns the items of all pages as one result, or those of one page if a `cursor` is passed.";
  const each = `Yields the items of \`${method.method}\` one by one; fetches a page when its first item is needed.`;
  const results = join(finalResults(method), code` | `);
  return [
    code`${jsDoc({ text: `${doc.text}\n\n${all}`, tags })}${identifier(name)}(${given}): Promise<${results}> {
    return this.list(${list}, params, options);
  }`,
    code`${jsDoc({ text: each, tags })}${identifier(pager.name)}(${given}): AsyncGenerator<${pagedItem(method, pager)}> {
    return this.items(${list}, params, options);
  }`,
  ];
}
