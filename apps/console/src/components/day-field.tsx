import { dayOf, dayText } from '@krapao/ui/text/day-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useAddress } from '../platform/address.ts';

/** A day, typed and shown as DD/MM/YYYY whatever the device's own habit; taken at Enter or when the field is left. */
export function DayField({
  label,
  value,
  onChange,
}: {
  label: string;
  /** YYYY-MM-DD, or nothing. */
  value: string;
  onChange: (day: string) => void;
}) {
  const { t } = useText();
  const [typed, setTyped] = useState(dayText(value));
  useEffect(() => setTyped(dayText(value)), [value]);
  const isWrong = typed !== '' && typed.length >= 8 && dayOf(typed) === null;
  const take = () => {
    const day = typed.trim() === '' ? '' : dayOf(typed);
    if (day !== null && day !== value) onChange(day);
    if (day === value) setTyped(dayText(value));
  };
  return (
    <TextInput
      aria-label={label}
      placeholder={label}
      title={t('days.shape')}
      inputMode="numeric"
      maxLength={12}
      w={{ base: 120, lg: 140 }}
      value={typed}
      error={isWrong}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={take}
      onKeyDown={(event) => event.key === 'Enter' && take()}
    />
  );
}

/**
 * From one day to another, both included, kept in the address.
 * @param shown the days that are shown while the address names none
 */
export function DaysFilter({ shown }: { shown?: { from: string; to: string } | undefined }) {
  const { t } = useText();
  const address = useAddress();
  return (
    <>
      <DayField
        label={t('days.from')}
        value={address.get('from') || (shown?.from ?? '')}
        onChange={(from) => address.set({ from })}
      />
      <DayField
        label={t('days.to')}
        value={address.get('to') || (shown?.to ?? '')}
        onChange={(to) => address.set({ to })}
      />
    </>
  );
}
