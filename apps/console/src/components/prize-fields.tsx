import { PRIZES } from '@krapao/contract/prizes';
import { type Currency, type Language, languageTag } from '@krapao/contract/shared';
import { CURRENCY_SYMBOL } from '@krapao/ui/text/amount-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { SimpleGrid, Text, TextInput } from '@mantine/core';
import type { Figure, PrizeDraft } from '../platform/prize.ts';
import { NumberField } from './number-field.tsx';

interface FigureProps {
  label: string;
  description?: string;
  value: Figure;
  onChange: (value: Figure) => void;
  isNeeded?: boolean;
  /** Left empty, there is no limit. */
  isLimit?: boolean;
  prefix?: string;
  suffix?: string;
  decimals?: number;
}

/** A figure that may be empty. */
export function FigureInput({ isNeeded, isLimit, ...rest }: FigureProps) {
  const { t } = useText();
  return (
    <NumberField {...rest} placeholder={isLimit ? t('bonus.optional') : ''} required={isNeeded ?? false} />
  );
}

interface PrizeProps {
  of: PrizeDraft;
  currency: Currency;
  language: Language;
  onChange: (change: Partial<PrizeDraft>) => void;
}

const decimalsOf = (currency: Currency): number => (currency === 'BAHT' ? 2 : 0);

/** What a prize is called and worth, and the terms of a bonus. */
export function PrizeFields({ of, currency, language, onChange }: PrizeProps) {
  const { t } = useText();
  const { unit, redeemedTo, hasTerms } = PRIZES[of.kind];
  const isCoin = unit === 'coins';
  const isItem = redeemedTo === 'delivery';
  return (
    <>
      <TextInput
        label={t('prize.name')}
        required
        maxLength={80}
        lang={languageTag(language)}
        value={of.name[language]}
        onChange={(event) => onChange({ name: { ...of.name, [language]: event.currentTarget.value } })}
      />
      <SimpleGrid cols={2}>
        <FigureInput
          label={t(isItem ? 'prize.itemValue' : isCoin ? 'prize.coinValue' : 'prize.value')}
          isNeeded={!isItem}
          prefix={isCoin ? '' : CURRENCY_SYMBOL[currency]}
          decimals={isCoin ? 0 : decimalsOf(currency)}
          value={of.value}
          onChange={(value) => onChange({ value })}
        />
        <FigureInput
          label={t('prize.couponDays')}
          isNeeded
          value={of.couponDays}
          onChange={(couponDays) => onChange({ couponDays })}
        />
      </SimpleGrid>
      {hasTerms && <TermFields of={of} currency={currency} onChange={onChange} />}
      {isItem && (
        <Text size="xs" c="dimmed">
          {t('prize.itemNote')}
        </Text>
      )}
    </>
  );
}

/** The terms of the run that a bonus starts. */
function TermFields({ of, currency, onChange }: Omit<PrizeProps, 'language'>) {
  const { t } = useText();
  return (
    <>
      <SimpleGrid cols={2}>
        <FigureInput
          label={t('bonus.successPercent')}
          isNeeded
          suffix=" %"
          value={of.successPercent}
          onChange={(successPercent) => onChange({ successPercent })}
        />
        <FigureInput
          label={t('bonus.failPercent')}
          isNeeded
          suffix=" %"
          value={of.failPercent}
          onChange={(failPercent) => onChange({ failPercent })}
        />
        <FigureInput
          label={t('bonus.turnoverTimes')}
          isNeeded
          decimals={2}
          value={of.turnoverTimes}
          onChange={(turnoverTimes) => onChange({ turnoverTimes })}
        />
        <FigureInput
          label={t('bonus.days')}
          isNeeded
          value={of.days}
          onChange={(days) => onChange({ days })}
        />
        <FigureInput
          label={t('bonus.withdrawMost')}
          isLimit
          prefix={CURRENCY_SYMBOL[currency]}
          decimals={decimalsOf(currency)}
          value={of.withdrawMost}
          onChange={(withdrawMost) => onChange({ withdrawMost })}
        />
      </SimpleGrid>
      <Text size="xs" c="dimmed">
        {t('prize.termsNote')}
      </Text>
    </>
  );
}
