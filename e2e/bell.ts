import { expect, type Page } from '@playwright/test';

/** Counts what the page would sound and show, in place of the machine's loudspeaker and desktop. */
export async function listenIn(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const received = { rings: 0, notes: [] as string[], requested: 0 };
    Object.assign(window, { received });
    const Sound = window.AudioContext;
    window.AudioContext = class extends Sound {
      constructor() {
        super();
        received.rings++;
      }
    };
    class Note {
      // A browser's permission is its tabs' together.
      static get permission() {
        return localStorage.getItem('allowed') ?? 'default';
      }
      static async requestPermission() {
        received.requested++;
        localStorage.setItem('allowed', 'granted');
        return 'granted';
      }
      constructor(title: string) {
        received.notes.push(title);
      }
    }
    Object.assign(window, { Notification: Note });
  });
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
}

interface Received {
  rings: number;
  notes: string[];
  requested: number;
}
/** How often a page rang, and what it showed, since it was loaded. */
export const receivedOn = (page: Page): Promise<Received> =>
  page.evaluate(() => (window as unknown as { received: Received }).received);
