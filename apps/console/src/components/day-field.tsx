import { useText } from '@krapao/ui/text/text.tsx';
import { TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useAddress } from '../platform/address.ts';
import { momentOf, momentText } from '../platform/days.ts';

/**
 * A day, typed and shown as DD/MM/YYYY whatever the device's own habit, with a time behind it where hours are allowed;
 * taken at Enter or when the field is left.
 */
export function DayField({
  label,
  value,
  hasHours = false,
  onChange,
}: {
  label: string;
  /** YYYY-MM-DD, YYYY-MM-DDTHH:MM, or nothing. */
  value: string;
  hasHours?: boolean;
  onChange: (day: string) => void;
}) {
  const { t } = useText();
  const read = (text: string): string | null => {
    const moment = momentOf(text);
    return hasHours || !moment?.includes('T') ? moment : null;
  };
  const [typed, setTyped] = useState(momentText(value));
  useEffect(() => setTyped(momentText(value)), [value]);
  const isWrong = typed !== '' && typed.length >= 8 && read(typed) === null;
  const take = () => {
    const day = typed.trim() === '' ? '' : read(typed);
    if (day !== null && day !== value) onChange(day);
    if (day === value) setTyped(momentText(value));
  };
  return (
    <TextInput
      aria-label={label}
      placeholder={label}
      title={t(hasHours ? 'days.shapeWithTime' : 'days.shape')}
      inputMode={hasHours ? 'text' : 'numeric'}
      maxLength={hasHours ? 18 : 12}
      w={hasHours ? { base: 150, lg: 160 } : { base: 120, lg: 140 }}
      value={typed}
      error={isWrong}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={take}
      onKeyDown={(event) => event.key === 'Enter' && take()}
    />
  );
}

/**
 * From one day to another, both included, stored in the address; in lists also from one minute to another.
 * @param shown the days that are shown while the address names none
 */
export function DaysFilter({ shown }: { shown?: { from: string; to: string } | undefined }) {
  const { t } = useText();
  const address = useAddress();
  return (
    <>
      <DayField
        label={t('days.from')}
        hasHours={!shown}
        value={address.get('from') || (shown?.from ?? '')}
        onChange={(from) => address.set({ from })}
      />
      <DayField
        label={t('days.to')}
        hasHours={!shown}
        value={address.get('to') || (shown?.to ?? '')}
        onChange={(to) => address.set({ to })}
      />
    </>
  );
}
