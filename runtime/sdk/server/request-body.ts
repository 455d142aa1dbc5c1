/** Largest body of a request that is read unless another limit is given, in bytes: 4 MiB. */
export const DEFAULT_MAX_REQUEST_BODY_SIZE = 4_194_304;

/**
 * Reads the body of a request as text; no more of it than the limit.
 * @param maxBytes - {@link DEFAULT_MAX_REQUEST_BODY_SIZE} unless given
 */
export async function readRequestBody(
  request: Request,
  maxBytes: number = DEFAULT_MAX_REQUEST_BODY_SIZE,
): Promise<{ tooLarge: true } | { tooLarge: false; text: string }> {
  if (Number(request.headers.get("content-length")) > maxBytes) return { tooLarge: true };
  const reader = request.body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let length = 0;
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done) return { tooLarge: false, text: text + decoder.decode() };
    length += value.byteLength;
    if (length > maxBytes) {
      void reader?.cancel().catch(() => {});
      return { tooLarge: true };
    }
    text += decoder.decode(value, { stream: true });
  }
}
