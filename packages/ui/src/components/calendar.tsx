import { ChevronLeft, ChevronRight } from 'lucide';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { dateText } from '../text/date-text.ts';
import { dayOf, daysLater, monthsLater, weeksOf } from '../text/day-text.ts';
import { useText } from '../text/text.tsx';
import { Button, IconButton } from './button.tsx';
import styles from './calendar.module.css';

interface CalendarProps {
  /** The chosen day, YYYY-MM-DD, or nothing. */
  value: string;
  min?: string | undefined;
  max?: string | undefined;
  /** A day, or nothing to choose none. */
  onChoose: (day: string) => void;
}

const KEYS: Record<string, (day: string) => string> = {
  ArrowLeft: (day) => daysLater(day, -1),
  ArrowRight: (day) => daysLater(day, 1),
  ArrowUp: (day) => daysLater(day, -7),
  ArrowDown: (day) => daysLater(day, 7),
  Home: (day) => daysLater(day, -new Date(day).getUTCDay()),
  End: (day) => daysLater(day, 6 - new Date(day).getUTCDay()),
  PageUp: (day) => monthsLater(day, -1),
  PageDown: (day) => monthsLater(day, 1),
};

/** Sunday first, as calendars of Thailand and Laos have it. */
const WEEKDAYS = ['0', '1', '2', '3', '4', '5', '6'] as const;

type Month = `0${1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9}` | `1${0 | 1 | 2}`;

const today = (): string => dayOf(dateText(Date.now()))!;

/** A month to choose a day from; the arrow keys go by days and weeks, page up and down by months. */
export function Calendar({ value, min = '', max = '9999-12-31', onChoose }: CalendarProps) {
  const { t } = useText();
  const [day, setDay] = useState(value || today());
  const grid = useRef<HTMLTableElement>(null);
  const byKey = useRef(true);
  const month = `${t(`month.${day.slice(5, 7) as Month}`)} ${day.slice(0, 4)}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus follows the day the keys have gone to
  useEffect(() => {
    if (byKey.current) grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
    byKey.current = false;
  }, [day]);
  const go = (event: KeyboardEvent) => {
    const next = KEYS[event.key]?.(day);
    if (!next) return;
    event.preventDefault();
    byKey.current = true;
    setDay(next);
  };
  return (
    <div className={styles.calendar}>
      <div className={styles.head}>
        <IconButton
          icon={ChevronLeft}
          label={t('date.monthBefore')}
          onClick={() => setDay(monthsLater(day, -1))}
        />
        <p aria-live="polite">{month}</p>
        <IconButton
          icon={ChevronRight}
          label={t('date.monthAfter')}
          onClick={() => setDay(monthsLater(day, 1))}
        />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the pattern for a calendar is a grid */}
      <table ref={grid} role="grid" aria-label={month} onKeyDown={go}>
        <thead>
          <tr>
            {WEEKDAYS.map((weekday) => (
              <th key={weekday} scope="col" abbr={t(`weekday.${weekday}`)}>
                {t(`weekdayShort.${weekday}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(day).map((week) => (
            <tr key={week.find(Boolean)}>
              {week.map((one, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the seven places of a week
                <td key={index}>
                  {one && (
                    <button
                      type="button"
                      tabIndex={one === day ? 0 : -1}
                      disabled={one < min || one > max}
                      aria-label={`${Number(one.slice(8))} ${month}`}
                      aria-pressed={one === value}
                      aria-current={one === today() ? 'date' : undefined}
                      onClick={() => onChoose(one)}
                    >
                      {Number(one.slice(8))}
                    </button>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <div className={styles.foot}>
        <Button tone="text" isSmall disabled={value === ''} onClick={() => onChoose('')}>
          {t('date.clear')}
        </Button>
        <Button
          tone="text"
          isSmall
          disabled={today() < min || today() > max}
          onClick={() => onChoose(today())}
        >
          {t('time.today')}
        </Button>
      </div>
    </div>
  );
}
