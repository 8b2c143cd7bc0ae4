// @ts-check
const SHOWN_MS = 2600;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/**
 * Says one short sentence at the foot of the page.
 * @param {string} text
 */
export function toast(text) {
  const place = document.getElementById('toast');
  if (!place) return;
  place.textContent = text;
  place.classList.add('shown');
  clearTimeout(timer);
  timer = setTimeout(() => place.classList.remove('shown'), SHOWN_MS);
}
