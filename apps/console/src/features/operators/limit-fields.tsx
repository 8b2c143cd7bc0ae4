import { CURRENCIES, CURRENCY_DECIMALS, type Currency } from '@krapao/contract/shared';
import { amountText, CURRENCY_SYMBOL, parseAmount } from '@krapao/ui/text/amount-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import type { Reply } from '../../platform/api.ts';
import { figureProblem } from '../../platform/figure-text.ts';

export type Limit = Reply<'GET /api/operator/operators'>['operators'][number]['limits'][number];

const KINDS = ['pay', 'credit'] as const;
const WHICH = ['action', 'day'] as const;
const MAX_LENGTH = 15;

/** What is typed, by kind, currency and sort; empty: no limit. */
export type LimitDraft = Record<string, string>;

const nameOf = (kind: string, currency: string, which: string): string => `${kind} ${currency} ${which}`;

export const draftOf = (limits: readonly Limit[]): LimitDraft =>
  Object.fromEntries(
    limits.flatMap((limit) =>
      WHICH.map((which) => [
        nameOf(limit.kind, limit.currency, which),
        limit[which] === null ? '' : String(limit[which]),
      ]),
    ),
  );

/** The limits as they are sent; those without a figure are left out. */
export const limitsOf = (draft: LimitDraft): Limit[] =>
  KINDS.flatMap((kind) =>
    CURRENCIES.map((currency) => ({
      kind,
      currency,
      action: parseAmount(draft[nameOf(kind, currency, 'action')] ?? '', currency),
      day: parseAmount(draft[nameOf(kind, currency, 'day')] ?? '', currency),
    })),
  ).filter(({ action, day }) => action !== null || day !== null);

/** Whether every figure is an amount or empty. */
export const isLimitDraft = (draft: LimitDraft): boolean =>
  CURRENCIES.every((currency) =>
    KINDS.every((kind) =>
      WHICH.every((which) => isAmountOrEmpty(currency, draft[nameOf(kind, currency, which)])),
    ),
  );

const isAmountOrEmpty = (currency: Currency, text = ''): boolean =>
  text.trim() === '' || parseAmount(text, currency) !== null;

/** What one operator may pay or credit manually, at once and within a day, in each currency. */
export function LimitFields({
  of,
  currencies,
  onChange,
}: {
  of: LimitDraft;
  currencies: readonly Currency[];
  onChange: (of: LimitDraft) => void;
}) {
  const { t } = useText();
  return (
    <Stack gap="xs">
      <Text size="xs" c="dimmed">
        {t('limits.note')}
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2 }} verticalSpacing="xs">
        {currencies.flatMap((currency) =>
          KINDS.flatMap((kind) =>
            WHICH.map((which) => {
              const name = nameOf(kind, currency, which);
              return (
                <TextInput
                  key={name}
                  label={t(`limits.${kind}-${which}`, { symbol: CURRENCY_SYMBOL[currency] })}
                  inputMode="decimal"
                  error={figureProblem(t, of[name] ?? '', CURRENCY_DECIMALS[currency])}
                  maxLength={MAX_LENGTH}
                  value={of[name] ?? ''}
                  onChange={(event) => onChange({ ...of, [name]: event.currentTarget.value })}
                />
              );
            }),
          ),
        )}
      </SimpleGrid>
    </Stack>
  );
}

/** Limits in short lines; nothing where there are none. */
export function LimitLines({ of: limits }: { of: readonly Limit[] }) {
  const { t } = useText();
  const lines = limits.flatMap((limit) =>
    WHICH.flatMap((which) =>
      limit[which] === null
        ? []
        : [
            `${t(`limits.${limit.kind}-${which}`, { symbol: CURRENCY_SYMBOL[limit.currency] })} ${amountText(limit[which])}`,
          ],
    ),
  );
  return lines.map((line) => (
    <Text key={line} size="xs" c="dimmed">
      {line}
    </Text>
  ));
}
