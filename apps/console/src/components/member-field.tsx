import type { Currency } from '@krapao/contract/shared';
import { amountText, CURRENCY_SYMBOL } from '@krapao/ui/text/amount-text.ts';
import { dateTimeText } from '@krapao/ui/text/date-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { Box, Group, Loader, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { CircleCheck, Search } from 'lucide';
import { useState } from 'react';
import { api, type Reply } from '../platform/api.ts';
import { labelOf } from '../platform/error-text.ts';
import { State } from './cells.tsx';
import { ChoiceButton } from './choice-button.tsx';
import { FOCUSED } from './focused.ts';
import { Icon } from './icons.tsx';

type Candidate = Reply<'GET /api/operator/candidates'>['candidates'][number];

interface MemberFieldProps {
  label: string;
  value: string;
  onChange: (id: string) => void;
  /** What the member will be credited. */
  amount: number;
  /** Its currency: members of another, and closed ones, are shown and cannot be chosen. */
  currency: Currency;
  /** The members found by the matching are offered before any input. */
  transaction?: string;
  /** What is looked for before anything is typed. */
  typed?: string;
  isOptional?: boolean;
}

/** Chooses a member among those who may be meant, each with what tells them from another of the same name. */
export function MemberField({
  label,
  value,
  onChange,
  amount,
  currency,
  transaction,
  typed: first = '',
  isOptional = false,
}: MemberFieldProps) {
  const { t } = useText();
  const [typed, setTyped] = useState(first);
  const [q] = useDebouncedValue(typed.trim(), 200);
  const query = { ...(q && { q }), ...(transaction && { transaction }) };
  const found = useQuery({
    queryKey: ['candidates', query],
    queryFn: () => api('GET /api/operator/candidates', { query }),
    enabled: q !== '' || transaction !== undefined,
  });
  const candidates = found.data?.candidates ?? [];
  const chosen = candidates.find((one) => one.id === value);
  return (
    <Stack gap="xs">
      <TextInput
        {...FOCUSED}
        label={label}
        withAsterisk={!isOptional}
        maxLength={80}
        placeholder={t('candidates.hint')}
        leftSection={<Icon of={Search} />}
        rightSection={found.isFetching ? <Loader size="xs" /> : null}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          onChange('');
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          // The first one fits what was typed best; nothing is sent before it has been seen chosen.
          event.preventDefault();
          const fitting = candidates.find((one) => fits(one, currency));
          if (fitting) onChange(fitting.id);
        }}
      />
      <Stack gap={4} role="radiogroup" aria-label={label}>
        {candidates.map((one) => (
          <Choice
            key={one.id}
            of={one}
            isChosen={one.id === value}
            isOpen={fits(one, currency)}
            onChoose={() => onChange(one.id)}
          />
        ))}
        {found.data && candidates.length === 0 && (
          <Text size="sm" c="dimmed">
            {t('find.nothing')}
          </Text>
        )}
      </Stack>
      <Text size="sm" fw={600} role="status">
        {chosen &&
          t('candidates.chosen', {
            amount: CURRENCY_SYMBOL[currency] + amountText(amount),
            name: chosen.name,
            id: chosen.id,
          })}
      </Text>
    </Stack>
  );
}

const fits = (one: Candidate, currency: Currency): boolean =>
  one.currency === currency && one.status !== 'CLOSED';

interface ChoiceProps {
  of: Candidate;
  isChosen: boolean;
  isOpen: boolean;
  onChoose: () => void;
}

function Choice({ of: one, isChosen, isOpen, onChoose }: ChoiceProps) {
  const { t } = useText();
  const account =
    one.account && `${one.account.bankCode} ${one.account.accountNo} ${one.account.accountName}`.trim();
  return (
    <ChoiceButton isChosen={isChosen} isOpen={isOpen} onChoose={onChoose}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Box miw={0}>
          <Text size="sm" fw={600}>
            {one.name}
          </Text>
          <Text size="xs" c="dimmed">{`${one.id} · ${one.phone}`}</Text>
          {account && (
            <Text size="xs" style={{ overflowWrap: 'anywhere' }}>
              {account}
            </Text>
          )}
          <Text size="xs" c="dimmed">
            {one.deposits.length === 0
              ? t('candidates.noDeposits')
              : t('candidates.deposits', { deposits: one.deposits.map(depositText(t)).join(' · ') })}
          </Text>
        </Box>
        {isChosen ? <Icon of={CircleCheck} /> : one.status !== 'ACTIVE' && <State of={one.status} />}
        {!isOpen && one.status !== 'CLOSED' && <Text size="xs">{CURRENCY_SYMBOL[one.currency]}</Text>}
      </Group>
    </ChoiceButton>
  );
}

const depositText =
  (t: ReturnType<typeof useText>['t']) =>
  ({ amount, channel, at }: Candidate['deposits'][number]): string =>
    `${amountText(amount)} ${labelOf(t, 'type', channel)} ${dateTimeText(at)}`;
