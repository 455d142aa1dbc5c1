import { describe, expect, it } from "vitest";
import { UriTemplate } from "../../../runtime/features/index.js";

const valuesOf = (template: string, uri: string) => {
  const match = new UriTemplate(template).match(uri);
  return match && { ...match.values };
};

describe("UriTemplate.match", () => {
  it.each([
    ["test://static", "test://static", {}],
    ["test://static", "test://static/", undefined],
    ["test://template/{id}/data", "test://template/123/data", { id: "123" }],
    ["test://template/{id}/data", "test://template//data", undefined],
    ["test://template/{id}/data", "test://template/1/2/data", undefined],
    ["test://{a}-{b}", "test://x-y-z", { a: "x-y", b: "z" }],
    ["test://{a}-{b}", "test://x-", undefined],
    ["test://{a}-v{b}/c", "test://2024-01-v-v2/c", { a: "2024-01-v", b: "2" }],
    ["test://{a}/{+rest}", "test://x/y/z-?#", { a: "x", rest: "y/z-?#" }],
    ["test:a{/id}/{+rest}", "test:a/1/2/3", { id: "1", rest: "2/3" }],
    ["test:{+a}/{x}/{+y}", "test:1/2/3/4", { a: "1/2", x: "3", y: "4" }],
    ["test:a{/b*}/c{/d*}", "test:a/1/c/2/c/3", { b: ["1", "c", "2"], d: ["3"] }],
    ["test://{name}.{type}", "test://a.tar.gz", { name: "a.tar", type: "gz" }],
    ["test:{x}{;p}", "test:a;p=1", { x: "a", p: "1" }],
    ["test:{x}{&p}", "test:a&p=1", { x: "a", p: "1" }],
    ["test:{+x}{#p}", "test:a#1", { x: "a", p: "1" }],
    ["test://{name}{.type}", "test://a.tar.gz", { name: "a", type: "tar.gz" }],
    ["test://{name}{.type}", "test://a", { name: "a" }],
    ["geo:{lat,lon}", "geo:1,2", { lat: "1", lon: "2" }],
    ["geo:{lat,lon}", "geo:1", { lat: "1" }],
    ["geo:{point}", "geo:1,2", { point: "1,2" }],
    ["test:{list*}", "test:a,b,c", { list: ["a", "b", "c"] }],
    ["file:///{+path}", "file:///a/b?c#d", { path: "a/b?c#d" }],
    ["file:///{+path}", "file:///", undefined],
    ["file:///{+path}/{name}", "file:///a/b/c", { path: "a/b", name: "c" }],
    ["test:a{#part}", "test:a#x/y", { part: "x/y" }],
    ["test:a{#part}", "test:a#", { part: "" }],
    ["test:a{#part}", "test:a", {}],
    ["test:a{.b,c}", "test:a.1.2", { b: "1", c: "2" }],
    ["test:a{/b}", "test:a/1", { b: "1" }],
    ["test:a{/b}", "test:a/", { b: "" }],
    ["test:a{/b}", "test:a", {}],
    ["test:a{/b}", "test:a/1/2", undefined],
    ["test:a{/b,c}", "test:a/1/2", { b: "1", c: "2" }],
    ["test:a{/b,c}{/d}", "test:a/1/2/3", { b: "1", c: "2", d: "3" }],
    ["test:a{/b}{/c*}", "test:a/1/2/3", { b: "1", c: ["2", "3"] }],
    ["test:a{/id*}", "test:a/1/2/3", { id: ["1", "2", "3"] }],
    ["test:a{/id*}", "test:a", {}],
    ["test:a{/id*}/end", "test:a/1/2/end", { id: ["1", "2"] }],
    ["test:a{;b,c}", "test:a;b=1;c=2", { b: "1", c: "2" }],
    ["test:a{;b,c}", "test:a;c=2;b", { b: "", c: "2" }],
    ["test:a{;b,c}", "test:a;bc=1", undefined],
    ["test:a{?b,c}", "test:a?b=1&c=2", { b: "1", c: "2" }],
    ["test:a{?b,c}", "test:a?c=2&b=1", { b: "1", c: "2" }],
    ["test:a{?b,c}", "test:a?c=", { c: "" }],
    ["test:a{?b,c}", "test:a?b=1&b=2", undefined],
    ["test:a{?b,c}", "test:a?b=1&d=2", undefined],
    ["test:a{?b,c}", "test:a", {}],
    ["test:a{?b,bc}", "test:a?bc=1&b=2", { b: "2", bc: "1" }],
    ["test:a{?b*}", "test:a?b=1&b=2", { b: ["1", "2"] }],
    ["test:a{?b*,c}", "test:a?b=1&c=3&b=2", { b: ["1", "2"], c: "3" }],
    ["test:a?fixed=1{&b}", "test:a?fixed=1&b=2", { b: "2" }],
    ["test:a{?b}{&c}", "test:a?b=1&c=2", { b: "1", c: "2" }],
    ["file:///{+path}{?rev}", "file:///a/b?rev=2", { path: "a/b", rev: "2" }],
    ["test:{x}/{x}", "test:a/a", { x: "a" }],
    ["test:{x}/{x}", "test:a/b", undefined],
    ["test:{x}", "test:jean@example.org:80", { x: "jean@example.org:80" }],
    ["test:{x}", "test:José", { x: "José" }],
    ["test:é/{x}", "test:%C3%A9/1", { x: "1" }],
    ["test:%c3%a9/{x}", "test:é/1", { x: "1" }],
  ])("returns %s for %s (RES-20)", (template, uri, values) => {
    expect(valuesOf(template, uri)).toEqual(values);
  });

  it.each([
    ["test:/{x}", "test:/%2e%2e", "..", "%2e%2e"],
    ["test:/{x}", "test:/a%2Fb", "a/b", "a%2Fb"],
    ["test:/{x}", "test:/%00", "\0", "%00"],
    ["test:/{x}", "test:/%252e", "%2e", "%252e"],
    ["test:/{x}", "test:/a+b", "a+b", "a+b"],
    ["test:/{x}", "test:/José", "José", "Jos%C3%A9"],
  ])("decodes %s from %s once, and returns both forms (S07)", (template, uri, value, raw) => {
    const match = new UriTemplate(template).match(uri)!;
    expect(match.values["x"]).toBe(value);
    expect(match.raw["x"]).toBe(raw);
  });

  it.each([
    "test:/%",
    "test:/%zz",
    "test:/%ff",
    "test:/a b",
    "test:/a\nb",
    "test:/\0",
    "test:/\ud800",
  ])("rejects %j, which is not a URI (RES-16)", (uri) => {
    expect(new UriTemplate("test:/{x}").match(uri)).toBeUndefined();
    expect(new UriTemplate("test:{/x*}").match(uri)).toBeUndefined();
  });

  it("keeps variables named like members of objects (SEC-23)", () => {
    const { values, raw } = new UriTemplate("test:{__proto__}/{constructor}").match("test:a/b")!;
    expect(Object.entries(values)).toEqual([
      ["__proto__", "a"],
      ["constructor", "b"],
    ]);
    expect(Object.getPrototypeOf(values)).toBeNull();
    expect(Object.getPrototypeOf(raw)).toBeNull();
    expect(new UriTemplate("test:{x}").match("test:a")!.values["toString"]).toBeUndefined();
  });

  it("names each variable once", () => {
    expect(new UriTemplate("test:{a}{/b,a}{?c*}").variables).toEqual(["a", "b", "c"]);
  });
});

/** The number of characters in a URI for which quadratic time by far exceeds a test's time limit. */
const VERY_LONG = 1_000_000;

describe("long URIs (S07)", () => {
  it.each([
    ["test:{/id*}", "/a"],
    ["test:{a}-{b}-{c}.{d}x", "-"],
    ["test:{a}ab{b}ab{c}ab{d}x", "ab"],
    ["test:{/a*}/b{/c*}/b{/d*}x", "/b"],
    ["test:{+a}-{x}{/y*}?", "-x/"],
    ["test:{+a}-{x}/{+y}Z", "-x/"],
    ["test:{a}{.b}{/c}{?d*}", ".?d=/"],
    ["test:{+a}/{+b}/{+c}/x", "/"],
    ["test:{+a}aaab", "a"],
    ["test:{?a*,b*}", "a=&"],
    ["test:{a*}/{b*}", "a,"],
  ])("are matched in linear time: %s", (text, piece) => {
    const uri = `test:${piece.repeat(VERY_LONG / piece.length)}`;
    expect(() => new UriTemplate(text).match(uri)).not.toThrow();
  });

  it("may contain a list of a megabyte", () => {
    const match = new UriTemplate("test:{/id*}").match(`test:${"/ab".repeat(350_000)}`);
    expect(match!.values["id"]).toHaveLength(350_000);
  });
});
