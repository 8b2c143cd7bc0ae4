import type { Currency } from '@krapao/contract/shared';
import { amountText, CURRENCY_SYMBOL } from '@krapao/ui/text/amount-text.ts';
import { dateTimeText } from '@krapao/ui/text/date-text.ts';
import { type Translate, useText } from '@krapao/ui/text/text.tsx';
import { Box, Text } from '@mantine/core';
import { api, type Reply } from '../platform/api.ts';
import { labelOf } from '../platform/error-text.ts';
import { State } from './cells.tsx';
import { FoundChoice } from './found-choice.tsx';

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
export function MemberField({ amount, currency, transaction, ...field }: MemberFieldProps) {
  const { t } = useText();
  const search = (q: string) => {
    if (q === '' && transaction === undefined) return null;
    const query = { ...(q && { q }), ...(transaction && { transaction }) };
    const queryFn = async () => (await api('GET /api/operator/candidates', { query })).candidates;
    return { queryKey: ['candidates', query], queryFn };
  };
  return (
    <FoundChoice
      {...field}
      hint={t('candidates.hint')}
      none={t('find.nothing')}
      search={search}
      canChoose={(one) => fits(one, currency)}
      draw={(one) => ({ about: <About of={one} />, beside: <Beside of={one} currency={currency} /> })}
      chosenText={({ name, id }) =>
        t('candidates.chosen', { amount: CURRENCY_SYMBOL[currency] + amountText(amount), name, id })
      }
    />
  );
}

const fits = (one: Candidate, currency: Currency): boolean =>
  one.currency === currency && one.status !== 'CLOSED';

function About({ of: one }: { of: Candidate }) {
  const { t } = useText();
  const account =
    one.account && `${one.account.bankCode} ${one.account.accountNo} ${one.account.accountName}`.trim();
  return (
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
  );
}

/** Why a member cannot be chosen, or should be with care. */
function Beside({ of: one, currency }: { of: Candidate; currency: Currency }) {
  return (
    <>
      {one.status !== 'ACTIVE' && <State of={one.status} />}
      {one.currency !== currency && one.status !== 'CLOSED' && (
        <Text size="xs">{CURRENCY_SYMBOL[one.currency]}</Text>
      )}
    </>
  );
}

const depositText =
  (t: Translate) =>
  ({ amount, channel, at }: Candidate['deposits'][number]): string =>
    `${amountText(amount)} ${labelOf(t, 'type', channel)} ${dateTimeText(at)}`;
