import { PRIZE_KINDS, type PrizeKind } from '@krapao/contract/prizes';
import { type Currency, type Language, languageTag } from '@krapao/contract/shared';
import { useText } from '@krapao/ui/text/text.tsx';
import {
  Button,
  ColorInput,
  Group,
  Select,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { Trash2 } from 'lucide';
import { useState } from 'react';
import { Dialog } from '../../components/dialog.tsx';
import { FOCUSED } from '../../components/focused.ts';
import { Icon } from '../../components/icons.tsx';
import { LanguageTabs } from '../../components/language-tabs.tsx';
import { FigureInput, PrizeFields } from '../../components/prize-fields.tsx';
import { type PrizeDraft, prizeDraftOf } from '../../platform/prize.ts';
import { isWhole, PALETTE, type SliceDraft } from './draft.ts';

interface EditorProps {
  slice: SliceDraft;
  currency: Currency;
  onKeep: (slice: SliceDraft) => void;
  /** Null: it must stay. */
  onRemove: (() => void) | null;
  onClose: () => void;
}

interface PartProps {
  of: SliceDraft;
  language: Language;
  onChange: (change: Partial<SliceDraft>) => void;
}

const BLANK = 'NONE';

function AppearanceFields({ of, language, onChange }: PartProps) {
  const { t } = useText();
  const lang = languageTag(language);
  return (
    <>
      <SimpleGrid cols={2}>
        <TextInput
          label={t('wheel.label')}
          required
          maxLength={24}
          lang={lang}
          {...FOCUSED}
          value={of.label[language]}
          onChange={(event) => onChange({ label: { ...of.label, [language]: event.currentTarget.value } })}
        />
        <TextInput
          label={t('wheel.code')}
          required
          maxLength={20}
          value={of.code}
          onChange={(event) =>
            onChange({ code: event.currentTarget.value.toUpperCase().replace(/[^A-Z0-9_-]/g, '') })
          }
        />
        <ColorInput
          label={t('wheel.bgColor')}
          format="hex"
          withEyeDropper={false}
          swatches={PALETTE.map(([ground]) => ground)}
          value={of.bgColor}
          onChangeEnd={(bgColor) => onChange({ bgColor: bgColor.toLowerCase() })}
          onChange={(bgColor) =>
            /^#[0-9a-f]{6}$/i.test(bgColor) && onChange({ bgColor: bgColor.toLowerCase() })
          }
        />
        <ColorInput
          label={t('wheel.textColor')}
          format="hex"
          withEyeDropper={false}
          swatches={[
            '#ffffff',
            '#15201c',
            ...PALETTE.map(([, ink]) => ink).filter((ink) => ink !== '#ffffff'),
          ]}
          value={of.textColor}
          onChange={(textColor) =>
            /^#[0-9a-f]{6}$/i.test(textColor) && onChange({ textColor: textColor.toLowerCase() })
          }
        />
      </SimpleGrid>
      <Textarea
        label={t('wheel.html')}
        description={t('bonus.htmlNote')}
        autosize
        minRows={2}
        maxRows={6}
        maxLength={2000}
        lang={lang}
        value={of.html[language]}
        onChange={(event) => onChange({ html: { ...of.html, [language]: event.currentTarget.value } })}
      />
    </>
  );
}

function PayFields({ of, language, onChange, currency }: PartProps & { currency: Currency }) {
  const { t } = useText();
  const { prize } = of;
  const setKind = (kind: string | null) => {
    if (!kind || kind === BLANK) onChange({ prize: null, stock: null });
    else onChange({ prize: { ...(prize ?? prizeDraftOf()), kind: kind as PrizeKind } });
  };
  const setPrize = (change: Partial<PrizeDraft>) => onChange({ prize: { ...prize!, ...change } });
  return (
    <>
      <SimpleGrid cols={2}>
        <Select
          label={t('wheel.prize')}
          data={[
            { value: BLANK, label: t('wheel.blank') },
            ...PRIZE_KINDS.map((value) => ({ value, label: t(`prizeKind.${value}`) })),
          ]}
          value={prize?.kind ?? BLANK}
          allowDeselect={false}
          onChange={setKind}
        />
        {prize && (
          <FigureInput
            label={t('wheel.stock')}
            isLimit
            value={of.stock}
            onChange={(stock) => onChange({ stock })}
          />
        )}
      </SimpleGrid>
      {prize && (
        <>
          <Text size="xs" c="dimmed">
            {t('wheel.stockNote')}
          </Text>
          <PrizeFields of={prize} currency={currency} language={language} onChange={setPrize} />
        </>
      )}
    </>
  );
}

/** Everything of one slice: how it looks, and what it pays. */
export function SliceEditor({ slice, currency, onKeep, onRemove, onClose }: EditorProps) {
  const { t, language: own } = useText();
  const [draft, setDraft] = useState(slice);
  const [language, setLanguage] = useState<Language>(own);
  const onChange = (change: Partial<SliceDraft>) => setDraft((before) => ({ ...before, ...change }));
  const isMissing = (one: Language) =>
    draft.label[one].trim() === '' || (draft.prize !== null && draft.prize.name[one].trim() === '');
  const props = { of: draft, language, onChange };
  return (
    <Dialog onClose={onClose} size="lg" yOffset="4dvh" title={t('wheel.editSlice')}>
      <Stack>
        <LanguageTabs value={language} isMissing={isMissing} onChange={setLanguage} />
        <AppearanceFields {...props} />
        <PayFields {...props} currency={currency} />
        <Group justify="space-between">
          {onRemove ? (
            <Button
              variant="subtle"
              color="red"
              leftSection={<Icon of={Trash2} size={16} />}
              onClick={() => {
                onRemove();
                onClose();
              }}
            >
              {t('wheel.removeSlice')}
            </Button>
          ) : (
            <span />
          )}
          <Group gap="xs">
            {!isWhole(draft) && (
              <Text size="sm" c="var(--warn)">
                {t('wheel.incomplete')}
              </Text>
            )}
            <Button
              onClick={() => {
                onKeep(draft);
                onClose();
              }}
            >
              {t('wheel.keepSlice')}
            </Button>
          </Group>
        </Group>
      </Stack>
    </Dialog>
  );
}
