import { LANGUAGE_NAMES, LANGUAGES, type Language, languageTag } from '@krapao/contract/shared';
import { Tabs } from '@mantine/core';

/** The language that is written in; one that still lacks a text is marked. */
export function LanguageTabs({
  value,
  isMissing,
  onChange,
}: {
  value: Language;
  isMissing?: (language: Language) => boolean;
  onChange: (language: Language) => void;
}) {
  return (
    <Tabs value={value} onChange={(next) => onChange(next as Language)}>
      <Tabs.List>
        {LANGUAGES.map((one) => (
          <Tabs.Tab key={one} value={one} lang={languageTag(one)}>
            {LANGUAGE_NAMES[one]}
            {isMissing?.(one) ? ' •' : ''}
          </Tabs.Tab>
        ))}
      </Tabs.List>
    </Tabs>
  );
}
