/** Parts that no URI has: other characters than those of RFC 3986, and a `%` that encodes nothing. */
const NOT_URI = /[^\w.~:/?#[\]@!$&'()*+,;=%-]|%(?![\dA-F]{2})/i;

/** Parts that no literal of a template has (RFC 6570); other characters than ASCII can be in one. */
// oxlint-disable-next-line no-control-regex
const NOT_LITERAL = /[\0- "<>\\^`{|}\x7f]|%(?![\dA-F]{2})/i;

const EXPRESSION =
  /^[+#./;?&]?(?:[\w.]|%[\dA-F]{2})+(?:\*|:\d{1,4})?(?:,(?:[\w.]|%[\dA-F]{2})+(?:\*|:\d{1,4})?)*$/i;

const MAX_EXPRESSION = 1000;

/** True for an absolute URI, with other characters than ASCII percent-encoded (RFC 3986). */
export function isUri(text: string): boolean {
  return /^[a-z][a-z\d+.-]*:/i.test(text) && !NOT_URI.test(text);
}

/** True for a `file:` URI with an authority, which may be empty, and a path that leads nowhere upwards. */
export function isFileUri(text: string): boolean {
  return text.startsWith("file://") && isUri(text) && URL.canParse(text) && !leadsUpwards(text);
}

/** True for `http:` and `https:` URLs, which a browser opens without running code. */
export function isWebUrl(text: string): boolean {
  return /^https?:\/\/[^/]/i.test(text) && URL.canParse(text);
}

/** True for the URI of an icon that is safe to load: an `http:` or `https:` URL, or an image in a `data:` URI. */
export function isIconUri(text: string): boolean {
  return isWebUrl(text) || (/^data:image\//i.test(text) && isUri(text));
}

/** True for a URI template, which a URI is, too (RFC 6570). */
export function isUriTemplate(text: string): boolean {
  return text
    .split(/\{([^{}]*)\}/)
    .every((part, index) =>
      index % 2 === 0
        ? !NOT_LITERAL.test(part)
        : part.length <= MAX_EXPRESSION && EXPRESSION.test(part),
    );
}

/** True when a URI or path has a `..` segment, encoded or not, with slashes of any kind around it. */
export function leadsUpwards(text: string): boolean {
  return /(?:^|[/\\]|%2f|%5c)(?:\.|%2e){2}(?:[/\\?#]|%2f|%5c|$)/i.test(text);
}
