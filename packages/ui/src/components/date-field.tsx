import { CalendarDays } from 'lucide';
import { type CSSProperties, useEffect, useId, useRef, useState } from 'react';
import { dayOf, dayText, withSlashes } from '../text/day-text.ts';
import { useText } from '../text/text.tsx';
import { IconButton } from './button.tsx';
import { Calendar } from './calendar.tsx';
import styles from './date-field.module.css';
import { Field } from './field.tsx';

interface DateFieldProps {
  label: string;
  /** YYYY-MM-DD, or nothing. */
  value: string;
  /** The first and the last day that can be chosen. */
  min?: string | undefined;
  max?: string | undefined;
  onChange: (day: string) => void;
}

/** A day, typed and shown as DD/MM/YYYY whatever the device's own habit, or chosen from a calendar; years are Gregorian. */
export function DateField({ label, value, min, max, onChange }: DateFieldProps) {
  const { t } = useText();
  const id = useId();
  const popover = useRef<HTMLDivElement>(null);
  const [typed, setTyped] = useState(dayText(value));
  const [isLeft, setLeft] = useState(true);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setTyped(dayText(value)), [value]);
  const day = typed.trim() === '' ? '' : dayOf(typed);
  const isOutside = Boolean(day && ((min && day < min) || (max && day > max)));
  const problem = day === null ? t('date.wrong') : isOutside ? t('date.outside') : null;
  const take = (next: string | null) => {
    const isFree = next !== null && (next === '' || (next >= (min ?? '') && next <= (max ?? '9999-12-31')));
    if (isFree && next !== value) onChange(next);
  };
  const leave = () => {
    setLeft(true);
    take(day);
    if (day === value) setTyped(dayText(value));
  };
  const anchor = { '--day': `--day-${id.replaceAll(/\W/g, '')}` } as CSSProperties;
  return (
    <div className={styles.field} style={anchor}>
      <Field
        label={label}
        inputMode="numeric"
        autoComplete="off"
        maxLength={10}
        placeholder={t('date.shape')}
        value={typed}
        error={isLeft ? problem : null}
        onChange={(event) => {
          const next = withSlashes(event.currentTarget.value);
          setLeft(false);
          setTyped(next);
          if (next.length === 10) take(dayOf(next));
        }}
        onBlur={leave}
        onKeyDown={(event) => event.key === 'Enter' && leave()}
        trail={
          <IconButton
            className={styles.open}
            icon={CalendarDays}
            size={20}
            label={`${t('date.choose')}: ${label}`}
            popoverTarget={id}
          />
        }
      />
      <div
        ref={popover}
        id={id}
        popover="auto"
        role="dialog"
        aria-label={label}
        className={styles.popover}
        onToggle={(event) => setOpen(event.newState === 'open')}
      >
        {isOpen && (
          <Calendar
            value={value}
            min={min}
            max={max}
            onChoose={(chosen) => {
              popover.current?.hidePopover();
              onChange(chosen);
            }}
          />
        )}
      </div>
    </div>
  );
}
