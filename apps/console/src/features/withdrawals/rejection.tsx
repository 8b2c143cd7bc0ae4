import { type Language, languageTag } from '@krapao/contract/shared';
import { useText } from '@krapao/ui/text/text.tsx';
import { Radio, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { DialogField } from '../../components/action-dialog.tsx';
import { FOCUSED } from '../../components/focused.ts';
import { ReadError, type Reading } from '../../components/read-error.tsx';
import { api, type Reply } from '../../platform/api.ts';

type Reason = Reply<'GET /api/operator/rejection-reasons'>['reasons'][number];

/** In the place of a prepared reason's code; no code is like it. */
const OWN = '*';

export const useReasons = () =>
  useQuery({
    queryKey: ['rejection-reasons'],
    queryFn: () => api('GET /api/operator/rejection-reasons'),
  });

/** The fields for the reason of a rejection, and the body that is sent. */
export function useRejection() {
  const { t, language } = useText();
  const list = useReasons();
  const reasons = list.data?.reasons ?? [];
  const fields = ({ code }: Record<string, string>): DialogField[] => [
    {
      name: 'code',
      label: t('field.reason'),
      least: 1,
      draw: (value, onChange) => (
        <ReasonChoice
          key="code"
          list={list}
          reasons={reasons}
          value={value}
          onChange={onChange}
          language={language}
        />
      ),
    },
    ...(code === OWN ? [{ name: 'reason', label: t('withdrawals.memberReadsOwn'), rows: 2, least: 3 }] : []),
  ];
  const sent = ({ code, reason }: Record<string, string>): { reason: string; reasonCode?: string } => {
    const prepared = reasons.find(({ id }) => id === code);
    return prepared
      ? { reason: prepared.notice[language], reasonCode: prepared.id }
      : { reason: (reason ?? '').trim() };
  };
  return { fields, sent, isReady: !list.isPending };
}

function ReasonChoice({
  list,
  reasons,
  value,
  onChange,
  language,
}: {
  list: Reading;
  reasons: readonly Reason[];
  value: string;
  onChange: (value: string) => void;
  language: Language;
}) {
  const { t } = useText();
  return (
    <Radio.Group
      label={t('field.reason')}
      description={t('withdrawals.memberReads')}
      value={value}
      onChange={onChange}
    >
      <Stack gap="xs" pt="xs">
        <ReadError of={list} />
        {reasons.map(({ id, notice }, index) => (
          <Radio
            key={id}
            value={id}
            lang={languageTag(language)}
            label={<Text size="sm">{notice[language]}</Text>}
            {...(index === 0 && FOCUSED)}
          />
        ))}
        <Radio
          value={OWN}
          label={<Text size="sm">{t('withdrawals.ownText')}</Text>}
          {...(reasons.length === 0 && FOCUSED)}
        />
      </Stack>
    </Radio.Group>
  );
}
