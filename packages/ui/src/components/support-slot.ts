import type { ReactNode } from 'react';

/** The content under the text of an error; the app fills it once its first screen is shown. */
export const supportSlot: { under: (text: ReactNode) => ReactNode } = { under: () => null };
