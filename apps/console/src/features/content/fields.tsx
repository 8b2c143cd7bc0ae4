import { LANGUAGE_NAMES, type Language, languageTag } from '@krapao/contract/shared';
import { useText } from '@krapao/ui/text/text.tsx';
import { Button, FileButton, Group, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { ImageUp, Plus, Trash2 } from 'lucide';
import { Icon } from '../../components/icons.tsx';
import { useNotice } from '../../components/notice.tsx';
import { api } from '../../platform/api.ts';
import { smallPicture } from '../../platform/shrink-picture.ts';
import type { Fields, Key } from './types.ts';

interface FieldsProps {
  of: Fields;
  contentKey: Key;
  language: Language;
  isFixed: boolean;
  picture: string | null;
  onChange: (fields: Fields) => void;
  onPicture: (picture: { id: string; address: string }) => void;
}

/** The parts of a text that has several, each a card on the member's screen. */
function Parts({ of, language, isFixed, onChange }: FieldsProps) {
  const { t } = useText();
  const parts = of.parts ?? [];
  const put = (next: string[]) => onChange({ ...of, parts: next });
  return (
    <>
      {parts.map((part, index) => (
        <Stack
          // biome-ignore lint/suspicious/noArrayIndexKey: parts have no name but their place
          key={index}
          gap={4}
        >
          <Textarea
            label={t('content.part', { number: index + 1 })}
            lang={languageTag(language)}
            autosize
            minRows={4}
            maxRows={14}
            readOnly={isFixed}
            value={part}
            onChange={(event) => put(parts.with(index, event.currentTarget.value))}
          />
          {!isFixed && (
            <Button
              size="compact-sm"
              variant="subtle"
              leftSection={<Icon of={Trash2} size={16} />}
              style={{ alignSelf: 'flex-start' }}
              aria-label={`${t('content.removePart')} ${index + 1} ${LANGUAGE_NAMES[language]}`}
              onClick={() => put(parts.toSpliced(index, 1))}
            >
              {t('content.removePart')}
            </Button>
          )}
        </Stack>
      ))}
      {!isFixed && (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<Icon of={Plus} size={16} />}
          style={{ alignSelf: 'flex-start' }}
          onClick={() => put([...parts, ''])}
        >
          {t('content.addPart')}
        </Button>
      )}
    </>
  );
}

function Picture({ of, picture, isFixed, onChange, onPicture }: FieldsProps) {
  const { t } = useText();
  const notice = useNotice();
  const send = async (file: File | null) => {
    if (!file) return;
    try {
      const body = { picture: await smallPicture(file) };
      onPicture(await api('POST /api/operator/content-picture', { body }));
    } catch (error) {
      notice.complain(error);
    }
  };
  return (
    <Stack gap={6}>
      <Text size="sm" fw={500}>
        {t('content.picture')}
      </Text>
      {picture && <img src={picture} alt={t('content.picture')} width={96} height={96} />}
      <Text size="xs" c="dimmed">
        {picture ? t('content.pictureOwn') : t('content.pictureDrawn')}
      </Text>
      {!isFixed && (
        <Group gap="xs">
          <FileButton accept="image/jpeg,image/png,image/webp" onChange={send}>
            {(props) => (
              <Button {...props} size="compact-sm" variant="default" leftSection={<Icon of={ImageUp} />}>
                {t('content.choosePicture')}
              </Button>
            )}
          </FileButton>
          {picture && (
            <Button size="compact-sm" variant="subtle" onClick={() => onChange({ ...of, picture: null })}>
              {t('content.removePicture')}
            </Button>
          )}
        </Group>
      )}
    </Stack>
  );
}

function Line({ props, name, rows }: { props: FieldsProps; name: keyof Fields & string; rows?: number }) {
  const { t } = useText();
  const { of, language, isFixed, onChange } = props;
  const common = {
    label: t(`content.field-${name}` as never),
    lang: languageTag(language),
    readOnly: isFixed,
    value: String(of[name] ?? ''),
  };
  const put = (value: string) => onChange({ ...of, [name]: value });
  if (!rows) return <TextInput {...common} onChange={(event) => put(event.currentTarget.value)} />;
  return (
    <Textarea
      {...common}
      autosize
      minRows={rows}
      maxRows={14}
      onChange={(event) => put(event.currentTarget.value)}
    />
  );
}

/** The field of one key in one language. */
export function LanguageFields(props: FieldsProps) {
  switch (props.contentKey) {
    case 'info':
      return (
        <>
          <Line props={props} name="name" />
          <Line props={props} name="website" />
        </>
      );
    case 'contact':
      return (
        <>
          <Line props={props} name="contactText" rows={4} />
          <Line props={props} name="lineName" />
          <Line props={props} name="lineLink" />
          <Picture {...props} />
        </>
      );
    case 'news':
    case 'notice':
      return <Line props={props} name="notice" rows={4} />;
    default:
      return <Parts {...props} />;
  }
}
