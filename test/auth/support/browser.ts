/** A browser that keeps cookies and shows no images. */
export class Browser {
  readonly #cookies = new Map<string, string>();

  /** Opens a page and follows redirects up to the first one to another origin. */
  async open(start: URL, form?: URLSearchParams): Promise<{ url: URL; page: string }> {
    let url = start;
    let body = form;
    for (let count = 0; count < 10; count += 1) {
      const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
      const method = body === undefined ? "GET" : "POST";
      const response = await fetch(url, {
        method,
        redirect: "manual",
        headers: { cookie },
        ...(body && { body }),
      });
      body = undefined;
      for (const line of response.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
        this.#cookies.set(name!, value!);
      }
      const location = response.headers.get("location");
      const page = await response.text();
      if (location === null) {
        if (!response.ok) throw new Error(`${url.pathname}: ${response.status} ${page}`);
        return { url, page };
      }
      url = new URL(location, url);
      if (url.origin !== start.origin) return { url, page };
    }
    throw new Error("The authorization server redirects for ever");
  }

  /** Types a code into the page of a device authorization and confirms it. */
  async enter(start: URL, code: string): Promise<void> {
    let { url, page } = await this.open(start);
    for (let step = 0; step < 2; step += 1) {
      const form = new URLSearchParams({ user_code: code });
      for (const [, name, value] of page.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)) {
        form.set(name!, value!);
      }
      ({ url, page } = await this.open(url, form));
    }
  }
}
