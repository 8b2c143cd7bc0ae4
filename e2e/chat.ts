import { expect, type Page } from '@playwright/test';
import { type Language, textOf } from './texts.ts';

/** The web app's texts in a language. */
export const texts = (language: Language) => (id: string, values?: Record<string, string>) =>
  textOf(language, id, values);
/** The open panel of the support chat. */
export const panel = (page: Page, language: Language) =>
  page.getByRole('dialog', { name: textOf(language, 'chat.launcher') });
/** Returns the messages that the panel shows. */
export const log = (page: Page) => page.getByRole('log');
/** The button that opens the panel; the open panel has a button of the same name. */
export const launcher = (page: Page, language: Language) =>
  page.locator('#chat-place').getByRole('button', { name: textOf(language, 'chat.launcher') });

/** Opens the panel from its button. */
export async function openChat(page: Page, language: Language): Promise<void> {
  await launcher(page, language).click();
  await expect(panel(page, language)).toBeVisible();
}

/** Says something in the open panel. */
export async function write(page: Page, language: Language, text: string): Promise<void> {
  const box = page.getByRole('textbox', { name: textOf(language, 'chat.placeholder') });
  await box.fill(text);
  await box.press('Enter');
}
