import * as theirs from "@modelcontextprotocol/client";
import * as version1 from "@modelcontextprotocol/sdk/types.js";
import {
  ConnectionClosedError,
  type LocalError,
  RequestTimeoutError,
  RpcError,
  CapabilityError,
  InvalidMessageError,
} from "@mcp-codegen/runtime";
import { HttpError } from "@mcp-codegen/runtime/http/client";
import * as ours from "@mcp-codegen/sdk/core";
import { describe, expect, it } from "vitest";

const theirsByName: Readonly<Record<string, object>> = theirs as never;
const oursByName: Readonly<Record<string, object>> = ours as never;

describe("error codes", () => {
  it.each(["ProtocolErrorCode", "SdkErrorCode", "OAuthErrorCode"] as const)(
    "%s are those of version 2",
    (name) => {
      const named = Object.entries(theirsByName[name]!).filter(([key]) => /^[A-Z]/.test(key));
      expect(oursByName[name]).toMatchObject(Object.fromEntries(named));
    },
  );

  it("ErrorCode are those of version 1", () => {
    const codes = Object.entries(version1.ErrorCode).filter(([key]) => Number.isNaN(Number(key)));
    expect(ours.ErrorCode).toEqual(Object.fromEntries(codes));
  });
});

const GIVEN: [number, unknown][] = [
  [-32602, { uri: "file:///a" }],
  [-32602, { uri: "file:///a", reason: "x" }],
  [-32002, { uri: "file:///a", reason: "x" }],
  [-32022, { supported: ["2025-11-25"], requested: "1999-01-01" }],
  [-32022, {}],
  [-32021, { requiredCapabilities: { roots: {} } }],
  [-32021, { requiredCapabilities: [] }],
  [-32042, { elicitations: [{ mode: "url", message: "m", url: "https://a", elicitationId: "1" }] }],
  [-32601, undefined],
  [7, "data"],
];

describe("errors in messages", () => {
  it.each(GIVEN)("become the class of version 2 with fromError(%d, …, %j)", (code, data) => {
    const [own, other] = [
      ours.ProtocolError.fromError(code, "text", data),
      theirs.ProtocolError.fromError(code, "text", data),
    ];
    expect(own.constructor.name).toBe(other.constructor.name);
    const { message } = other;
    expect(own).toMatchObject({ code: other.code, message, data: other.data });
  });

  it.each(GIVEN)("become that of version 1 with McpError.fromError(%d, …, %j)", (code, data) => {
    const [own, other] = [
      ours.McpError.fromError(code, "text", data),
      version1.McpError.fromError(code, "text", data),
    ];
    expect(own).toBeInstanceOf(ours.McpError);
    expect([own.code, own.message, own.data]).toEqual([other.code, other.message, other.data]);
  });

  it("are recognised, whichever side created them", () => {
    const error = new RpcError(-32601, "no such method");
    expect(error).toBeInstanceOf(ours.ProtocolError);
    expect(error).toBeInstanceOf(ours.McpError);
    expect(error).not.toBeInstanceOf(ours.ResourceNotFoundError);
    expect(ours.ProtocolError.isInstance(error)).toBe(true);
    expect(ours.UrlElicitationRequiredError.isInstance(error)).toBe(false);
    expect(new ours.McpError(-32602, "bad")).toBeInstanceOf(RpcError);
    expect(new Error("x")).not.toBeInstanceOf(ours.ProtocolError);
  });

  it("become the class that belongs to them", () => {
    const missing = new RpcError(-32602, "gone", { uri: "file:///a" });
    expect(ours.sdkErrorOf(missing)).toBeInstanceOf(ours.ResourceNotFoundError);
    expect(ours.mcpErrorOf(new RpcError(-32602, "bad"))).toMatchObject({
      name: "McpError",
      message: "MCP error -32602: bad",
    });
    const own = new ours.McpError(-32602, "bad");
    expect(ours.sdkErrorOf(own)).toBe(own);
    expect(ours.mcpErrorOf(own)).toBe(own);
  });
});

describe("errors of this side", () => {
  const failures: [LocalError, string, number | undefined][] = [
    [new RequestTimeoutError("tools/call", 5), "REQUEST_TIMEOUT", -32001],
    [new ConnectionClosedError("gone"), "CONNECTION_CLOSED", -32000],
    [new CapabilityError("no tools"), "CAPABILITY_NOT_SUPPORTED", undefined],
    [new InvalidMessageError("odd"), "INVALID_RESULT", undefined],
    [new HttpError("refused", { status: 401 }), "CLIENT_HTTP_AUTHENTICATION", 401],
    [new HttpError("refused", { status: 403 }), "CLIENT_HTTP_FORBIDDEN", 403],
    [new HttpError("refused", { status: 500 }), "CLIENT_HTTP_NOT_IMPLEMENTED", 500],
  ];

  it.each(failures)("%s has the code %s in version 2", (error, code) => {
    const given = ours.sdkErrorOf(error) as Error;
    expect(given).toBeInstanceOf(ours.SdkError);
    expect(given).toMatchObject({ code, cause: error });
  });

  it.each(failures)("%s in version 1 (%s, %s)", (error, _, code) => {
    const given = ours.mcpErrorOf(error);
    if (code === undefined) expect(given).toBe(error);
    else if (code > 0) expect(given).toMatchObject({ name: "StreamableHTTPError", code });
    else expect(given).toMatchObject({ name: "McpError", code });
  });

  it("contain the status of an HTTP failure", () => {
    const error = ours.sdkErrorOf(new HttpError("refused", { status: 500 })) as ours.SdkHttpError;
    expect(error).toBeInstanceOf(ours.SdkHttpError);
    expect([error.status, ours.SdkError.isInstance(error)]).toEqual([500, true]);
  });

  it("leave every other error unchanged", () => {
    const error = new RangeError("x");
    expect(ours.sdkErrorOf(error)).toBe(error);
    expect(ours.mcpErrorOf("text")).toBe("text");
  });
});
