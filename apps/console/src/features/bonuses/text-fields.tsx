import { LANGUAGE_NAMES, LANGUAGES, type Language, languageTag, localized } from '@krapao/contract/shared';
import { useText } from '@krapao/ui/text/text.tsx';
import { Button, Group, Paper, Stack, Tabs, Text, Textarea, TextInput } from '@mantine/core';
import { Plus, Trash2 } from 'lucide';
import { useRef } from 'react';
import { Icon } from '../../components/icons.tsx';
import { PictureField } from '../../components/picture-field.tsx';
import styles from './bonuses.module.css';
import type { Draft } from './draft.ts';
import { Part, type PartProps } from './term-fields.tsx';

interface TextFieldsProps extends PartProps {
  language: Language;
  onLanguage: (language: Language) => void;
}

/** Title, description and the text beside each picture, in the selected language. */
export function TextSection({ of, onChange, language, onLanguage }: TextFieldsProps) {
  const { t } = useText();
  const lang = languageTag(language);
  const put = (name: 'title' | 'description', text: string) =>
    onChange({ [name]: { ...of[name], [language]: text } });
  return (
    <Part title={t('bonus.partTexts')}>
      <Tabs value={language} onChange={(next) => onLanguage(next as Language)}>
        <Tabs.List>
          {LANGUAGES.map((one) => (
            <Tabs.Tab key={one} value={one} lang={languageTag(one)}>
              {LANGUAGE_NAMES[one]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </Tabs>
      <TextInput
        label={t('bonus.title')}
        required
        maxLength={120}
        lang={lang}
        value={of.title[language]}
        onChange={(event) => put('title', event.currentTarget.value)}
      />
      <Textarea
        label={t('bonus.description')}
        description={t('bonus.htmlNote')}
        autosize
        minRows={3}
        maxRows={12}
        maxLength={4000}
        lang={lang}
        value={of.description[language]}
        onChange={(event) => put('description', event.currentTarget.value)}
      />
      <Banners of={of} onChange={onChange} language={language} />
    </Part>
  );
}

const BANNERS_MAX = 10;
const NO_TEXT = localized(() => '');

function Banners({ of: { banners }, onChange, language }: PartProps & { language: Language }) {
  const { t } = useText();
  const put = (next: Draft['banners']) => onChange({ banners: next });
  // An upload ends after more was typed.
  const latest = useRef(banners);
  latest.current = banners;
  return (
    <>
      {banners.map((banner, index) => (
        <Paper
          // biome-ignore lint/suspicious/noArrayIndexKey: banners have no name but their place
          key={index}
          withBorder
          p="sm"
        >
          <Group align="flex-start" wrap="nowrap">
            <img className={styles.thumb} src={banner.image} alt="" />
            <Stack gap="xs" style={{ flex: 1 }}>
              <Textarea
                label={t('bonus.bannerTexts', { number: index + 1 })}
                autosize
                minRows={2}
                maxRows={8}
                maxLength={4000}
                lang={languageTag(language)}
                value={banner.html[language]}
                onChange={(event) =>
                  put(
                    banners.with(index, {
                      ...banner,
                      html: { ...banner.html, [language]: event.currentTarget.value },
                    }),
                  )
                }
              />
              <Button
                size="compact-sm"
                variant="subtle"
                style={{ alignSelf: 'flex-start' }}
                leftSection={<Icon of={Trash2} size={16} />}
                aria-label={`${t('banner.removePicture')} ${index + 1}`}
                onClick={() => put(banners.toSpliced(index, 1))}
              >
                {t('banner.removePicture')}
              </Button>
            </Stack>
          </Group>
        </Paper>
      ))}
      {banners.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('bonus.noPictures')}
        </Text>
      )}
      {banners.length < BANNERS_MAX && (
        <Group gap={6}>
          <Icon of={Plus} size={16} />
          <PictureField
            picture={null}
            onChange={(stored) => stored && put([...latest.current, { image: stored.path, html: NO_TEXT }])}
          />
        </Group>
      )}
    </>
  );
}
