/**
 * From now on words in operators' texts are held together, where that has not been so from the start: pages for visitors
 * wait for it together with what the server answers, so that their first paint does not. Without its file texts stay as
 * they came.
 */
export const wantHeldTexts = (): Promise<void> =>
  import('./hold-texts.ts').then(
    ({ holdServerTexts }) => holdServerTexts(),
    () => undefined,
  );
