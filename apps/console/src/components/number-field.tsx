import { NumberInput, type NumberInputProps } from '@mantine/core';
import { useState } from 'react';

interface NumberFieldProps extends Omit<NumberInputProps, 'value' | 'onChange' | 'decimalScale'> {
  /** null: empty. */
  value: number | null;
  onChange: (value: number | null) => void;
  decimals?: number;
}

const numberOf = (typed: string | number): number | null => {
  if (typed === '') return null;
  return Number.isNaN(Number(typed)) ? null : Number(typed);
};

/**
 * A figure that may be empty. What is typed is shown as it is while it means the value, so that "1." can become "1.5":
 * the input itself would make "1" of it.
 */
export function NumberField({ value, onChange, decimals = 0, ...rest }: NumberFieldProps) {
  const [typed, setTyped] = useState<string | number>('');
  return (
    <NumberInput
      min={0}
      allowNegative={false}
      hideControls
      thousandSeparator=","
      {...rest}
      decimalScale={decimals}
      value={numberOf(typed) === value ? typed : (value ?? '')}
      onChange={(next) => {
        setTyped(next);
        onChange(numberOf(next));
      }}
    />
  );
}
