import { type Language, languageTag } from '@krapao/contract/shared';
import { Wheel } from '@krapao/ui/components/wheel.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import type { SliceDraft } from './draft.ts';

/** The wheel as members see it. A slice has no name but its place while it is written. */
export function DrawnWheel({ slices, language }: { slices: readonly SliceDraft[]; language: Language }) {
  const { t } = useText();
  const drawn = slices.map(({ label, code, bgColor, textColor }, index) => ({
    code: String(index),
    label: label[language] || code,
    bgColor,
    textColor,
  }));
  return (
    <div lang={languageTag(language)}>
      <Wheel label={t('wheel.drawn')} slices={drawn} />
    </div>
  );
}
