// {{origin}}
(function () {
  "use strict";

  const root = document.body.dataset.root;
  document.documentElement.classList.add("js");

  /* On narrow screens, the list of areas is a single line that scrolls */

  const area = document.querySelector(".side [aria-current]");
  if (area) area.parentElement.parentElement.scrollLeft = area.offsetLeft - 16;

  /* The switch between revisions */

  const variants = [...document.querySelectorAll(".at")];
  const choices = [...document.querySelectorAll(".switch a, .older a")];

  function chosen() {
    return new URLSearchParams(location.search).get("at");
  }

  function show(id) {
    const current = variants.find(({ dataset }) => dataset.at === id) || variants[0];
    if (!current) return;
    for (const variant of variants) variant.hidden = variant !== current;
    for (const choice of choices) {
      if (choice.dataset.at === current.dataset.at) {
        choice.setAttribute("aria-current", "true");
        choice.scrollIntoView({ block: "nearest", inline: "nearest" });
      } else choice.removeAttribute("aria-current");
    }
  }

  /** Shows the revision that contains the fragment. A member without a revision is looked up in the current one. */
  function follow() {
    const id = decodeURIComponent(location.hash.slice(1));
    const target = id && document.getElementById(id);
    const variant = target && target.closest(".at");
    show(variant ? variant.dataset.at : chosen());
    if (target) {
      if (variant) target.scrollIntoView();
      return;
    }
    const shown = variants.find(({ hidden }) => !hidden);
    const member = id && shown && document.getElementById(`${shown.dataset.at}.${id}`);
    if (member) member.scrollIntoView();
  }

  function choose(id) {
    const url = new URL(location.href);
    url.searchParams.set("at", id);
    url.hash = "";
    history.replaceState(null, "", url);
    show(id);
  }

  for (const choice of choices) {
    choice.addEventListener("click", (event) => {
      event.preventDefault();
      choose(choice.dataset.at);
    });
  }
  addEventListener("hashchange", follow);
  follow();

  /** Makes the list beside the page lead to the parts of the current revision. */
  for (const link of document.querySelectorAll(".outline a")) {
    link.addEventListener("click", (event) => {
      const shown = variants.find(({ hidden }) => !hidden);
      const target = document.getElementById(decodeURIComponent(link.hash.slice(1)));
      const variant = target && target.closest(".at");
      if (!variant || !shown || variant === shown) return;
      const own = document.getElementById(target.id.replace(variant.id, () => shown.id));
      event.preventDefault();
      if (own) location.hash = `#${encodeURIComponent(own.id)}`;
    });
  }

  /** Makes links to other pages keep the revision. */
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href]");
    const at = chosen();
    if (!link || !at || link.origin !== location.origin || link.dataset.at) return;
    if (link.protocol !== location.protocol || link.pathname === location.pathname) return;
    const url = new URL(link.href);
    url.searchParams.set("at", at);
    link.href = url.href;
  });

  /* Search */

  const input = document.querySelector(".search input");
  const list = document.getElementById("page.results");
  let results = [];
  let active = -1;
  let loading;

  function load() {
    loading ??= new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = `${root}assets/search-index.js`;
      script.onload = () => resolve(globalThis.referenceIndex);
      script.onerror = reject;
      document.head.append(script);
    });
    return loading;
  }

  function element(tag, name, text) {
    const made = document.createElement(tag);
    if (name) made.className = name;
    if (text !== undefined) made.textContent = text;
    return made;
  }

  async function update() {
    const query = input.value;
    const index = await load();
    if (query !== input.value) return;
    results = globalThis.referenceSearch(index, query, 12);
    active = results.length > 0 ? 0 : -1;
    list.replaceChildren(...results.map(option));
    if (query.trim() !== "" && results.length === 0) {
      const none = element("li", "none", "Nothing found");
      none.setAttribute("role", "option");
      none.setAttribute("aria-disabled", "true");
      none.setAttribute("aria-selected", "false");
      list.replaceChildren(none);
    }
    list.hidden = query.trim() === "";
    input.setAttribute("aria-expanded", String(!list.hidden));
    mark();
  }

  function option({ name, kind, text }, index) {
    const made = element("li");
    made.id = `result-${index}`;
    made.setAttribute("role", "option");
    made.append(element("span", "name", name), element("span", "kind", kind), element("span", "text", text.slice(0, 160)));
    made.addEventListener("mousedown", (event) => event.preventDefault());
    made.addEventListener("click", () => open(index));
    return made;
  }

  function mark() {
    [...list.children].forEach((made, index) => made.setAttribute("aria-selected", String(index === active)));
    if (active < 0) input.removeAttribute("aria-activedescendant");
    else {
      input.setAttribute("aria-activedescendant", `result-${active}`);
      list.children[active].scrollIntoView({ block: "nearest" });
    }
  }

  function close() {
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  }

  function open(index) {
    const result = results[index];
    if (!result) return;
    close();
    location.href = `${root}${result.address}`;
  }

  input.addEventListener("focus", load, { once: true });
  input.addEventListener("input", update);
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      const step = event.key === "ArrowDown" ? 1 : -1;
      if (results.length > 0) active = (active + step + results.length) % results.length;
      mark();
    } else if (event.key === "Escape") {
      if (list.hidden) input.blur();
      close();
    }
  });
  input.form.addEventListener("submit", (event) => {
    event.preventDefault();
    open(active);
  });
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target.closest("input, textarea, select");
    if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
  });

  /* Suggestions on the page for addresses that do not exist */

  const suggestions = document.querySelector(".suggestions");
  if (suggestions) {
    const wanted = decodeURIComponent(location.pathname).split("/").pop().replace(/\.(?:html|md)$/, "");
    void load().then((index) => {
      const found = globalThis.referenceSearch(index, wanted.replace(/-/g, " "), 5);
      for (const { name, address } of found) {
        const item = element("li");
        const link = element("a", "", name);
        link.href = `${root}${address}`;
        item.append(link);
        suggestions.append(item);
      }
      suggestions.hidden = found.length === 0;
    });
  }
})();
