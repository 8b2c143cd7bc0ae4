// @ts-check
/** Sends a chosen QR picture to be read and puts its text into the form beside it, which then goes on. */
import { toast } from './toast.js';

/** Starts listening to every picture field of the page. */
export function readPictures() {
  for (const place of document.querySelectorAll('[data-decode]')) {
    const field = place.querySelector('input');
    field?.addEventListener('change', async () => {
      const file = field.files?.[0];
      if (!file) return;
      place.classList.add('busy');
      try {
        const answer = await fetch(place.getAttribute('data-decode') ?? '', {
          method: 'POST',
          headers: { 'content-type': 'application/octet-stream' },
          body: file,
        });
        const form = field.form;
        const text = form?.querySelector('textarea');
        if (!form || !text) return;
        // What cannot be read goes on as no QR at all, so that the page itself says so.
        text.value = answer.ok ? (await answer.json()).payload : '-';
        form.requestSubmit();
      } catch {
        toast(document.body.dataset.failed ?? '');
      } finally {
        place.classList.remove('busy');
      }
    });
  }
}
