import { useText } from '@krapao/ui/text/text.tsx';
import { HTML_LANGUAGE, type Language } from '../../platform/languages.ts';
import type { SliceDraft } from './draft.ts';
import styles from './wheels.module.css';

const SIZE = 200;
const RADIUS = 96;
const LABEL_AT = 60;
const FULL = 360;
const LONG = 10;

const point = (degrees: number): string => {
  const angle = ((degrees - FULL / 4) * Math.PI) / (FULL / 2);
  return `${(RADIUS * Math.cos(angle)).toFixed(2)} ${(RADIUS * Math.sin(angle)).toFixed(2)}`;
};

/** The wheel as members see it: slices of one size, clockwise, the first one under the pointer. */
export function DrawnWheel({ slices, language }: { slices: readonly SliceDraft[]; language: Language }) {
  const { t } = useText();
  const each = FULL / slices.length;
  const isLarge = each > FULL / 2 ? 1 : 0;
  return (
    <svg
      className={styles.wheel}
      viewBox={`${-SIZE / 2} ${-SIZE / 2} ${SIZE} ${SIZE}`}
      role="img"
      aria-label={t('wheel.drawn')}
      lang={HTML_LANGUAGE[language]}
    >
      {slices.map((slice, index) => {
        const middle = index * each;
        const label = slice.label[language] || slice.code;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a slice has no name but its place while it is written
          <g key={index}>
            <path
              d={`M0 0 L${point(middle - each / 2)} A${RADIUS} ${RADIUS} 0 ${isLarge} 1 ${point(middle + each / 2)} Z`}
              fill={slice.bgColor}
              stroke="var(--surface)"
              strokeWidth="1"
            />
            <text
              transform={`rotate(${middle - FULL / 4}) translate(${LABEL_AT} 0)`}
              fill={slice.textColor}
              textAnchor="middle"
              dominantBaseline="central"
              fontSize={label.length > LONG ? 8 : 10}
              fontWeight="600"
            >
              {label}
            </text>
          </g>
        );
      })}
      <circle r="12" fill="var(--surface)" stroke="var(--hairline)" />
      <path d="M-7 -99 L7 -99 L0 -84 Z" fill="var(--ink)" />
    </svg>
  );
}
