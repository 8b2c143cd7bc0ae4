// @ts-check
/** What pages do beyond plain HTML: copy, keep time, stay fresh, post in place, read QR pictures. */
import { keepClocks } from './clock.js';
import { listenToForms } from './forms.js';
import { keepFresh } from './fresh.js';
import { readPictures } from './picture.js';
import { toast } from './toast.js';

document.addEventListener('click', async (event) => {
  const button = event.target instanceof Element ? event.target.closest('[data-copy]') : null;
  const text = button?.getAttribute('data-copy');
  if (!text) return;
  try {
    await navigator.clipboard.writeText(text);
    toast(document.body.dataset.copied ?? '');
  } catch {
    toast(document.body.dataset.failed ?? '');
  }
});

keepClocks();
listenToForms();
keepFresh();
readPictures();
