import type { Language } from '@krapao/contract/shared';

/** What the app does with texts that are not of its catalogues, such as operators' titles: nothing, until it says so. */
export const heldText = { hold: (text: string, _language: Language): string => text };
