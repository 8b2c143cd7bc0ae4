import { Tabs } from '@mantine/core';
import { HTML_LANGUAGE, LANGUAGE_NAME, LANGUAGES, type Language } from '../platform/languages.ts';

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
          <Tabs.Tab key={one} value={one} lang={HTML_LANGUAGE[one]}>
            {LANGUAGE_NAME[one]}
            {isMissing?.(one) ? ' •' : ''}
          </Tabs.Tab>
        ))}
      </Tabs.List>
    </Tabs>
  );
}
