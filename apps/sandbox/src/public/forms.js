// @ts-check
/** Forms that work without leaving the page. */
import { takeOver } from './fresh.js';
import { toast } from './toast.js';

/**
 * A form as the JSON body of the control API: empty fields are left out, `data-number` fields become numbers.
 * @param {HTMLFormElement} form
 */
function jsonOf(form) {
  if (form.dataset.body) return form.dataset.body;
  /** @type {Record<string, string | number>} */
  const body = {};
  for (const element of form.elements) {
    const field = /** @type {HTMLInputElement} */ (element);
    if (!field.name || field.value === '') continue;
    body[field.name] = 'number' in field.dataset ? Number(field.value) : field.value;
  }
  return JSON.stringify(body);
}

/** Shows everything on the page as it is now. */
async function refreshAll() {
  const answer = await fetch(location.href);
  takeOver(await answer.text(), () => true);
}

/** @param {HTMLFormElement} form */
async function control(form) {
  const answer = await fetch(form.dataset.control ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: jsonOf(form),
  });
  if (!answer.ok) toast(`${document.body.dataset.failed ?? ''} (${(await answer.json()).error})`);
  await refreshAll();
}

/**
 * Posts a form, follows its redirect and takes the parts of the answered page.
 * @param {HTMLFormElement} form
 * @param {HTMLElement | null} submitter
 */
async function inPlace(form, submitter) {
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form, submitter)) body.set(name, String(value));
  const answer = await fetch(form.action, { method: 'POST', body });
  const text = await answer.text();
  const problem = new DOMParser().parseFromString(text, 'text/html').getElementById('problem');
  document.getElementById('problem')?.replaceWith(problem ?? '');
  takeOver(text, () => true);
}

/** Takes over forms marked `data-control` and `data-inplace`; one at a time each. */
export function listenToForms() {
  document.addEventListener('submit', async (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (!('control' in form.dataset) && !('inplace' in form.dataset)) return;
    event.preventDefault();
    if (form.dataset.busy) return;
    form.dataset.busy = 'yes';
    try {
      await ('control' in form.dataset ? control(form) : inPlace(form, event.submitter));
    } catch {
      toast(document.body.dataset.failed ?? '');
    } finally {
      delete form.dataset.busy;
    }
  });
}
