// @ts-check
/**
 * Keeps marked parts of a page fresh. An element with an id and `data-live="kind kind"` is fetched again, as part of
 * the page's own address, whenever something of that kind happens.
 */
const GATHER_MS = 120;

/** @type {Set<string>} */
const kinds = new Set();
let busy = false;

/**
 * Puts the parts of another copy of this page into this one, by id. Open details stay open, scrolled-down logs stay
 * at their end.
 * @param {string} text
 * @param {(element: Element) => boolean} wanted
 */
export function takeOver(text, wanted) {
  const fresh = new DOMParser().parseFromString(text, 'text/html');
  const open = new Set(
    [...document.querySelectorAll('details[open][data-keep]')].map((details) =>
      details.getAttribute('data-keep'),
    ),
  );
  for (const old of document.querySelectorAll('[id][data-live]')) {
    const replacement = fresh.getElementById(old.id);
    if (!replacement || !wanted(old) || old.outerHTML === replacement.outerHTML) continue;
    old.replaceWith(replacement);
    if ('end' in replacement.dataset) replacement.scrollTop = replacement.scrollHeight;
  }
  for (const details of document.querySelectorAll('details[data-keep]'))
    if (open.has(details.getAttribute('data-keep'))) details.setAttribute('open', '');
}

async function refresh() {
  if (busy) return;
  busy = true;
  while (kinds.size > 0) {
    await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
    const now = [...kinds];
    kinds.clear();
    /** @param {Element} element */
    const wanted = (element) =>
      (element.getAttribute('data-live') ?? '').split(' ').some((kind) => now.includes(kind));
    if (![...document.querySelectorAll('[data-live]')].some(wanted)) continue;
    try {
      const answer = await fetch(location.href);
      if (answer.ok) takeOver(await answer.text(), wanted);
    } catch {
      // The sandbox is restarting; the stream reconnects by itself and the next happening refreshes.
    }
  }
  busy = false;
}

/** Listens to the stream for as long as the page is open. */
export function keepFresh() {
  for (const log of document.querySelectorAll('[data-end]')) log.scrollTop = log.scrollHeight;
  if (!document.querySelector('[data-live]')) return;
  const stream = new EventSource('/live');
  // What happened between drawing the page and opening (or reopening) the stream would otherwise be missed.
  stream.onopen = () => {
    for (const element of document.querySelectorAll('[data-live]'))
      for (const kind of (element.getAttribute('data-live') ?? '').split(' ')) kinds.add(kind);
    void refresh();
  };
  stream.onmessage = ({ data }) => {
    kinds.add(data);
    void refresh();
  };
}
