import { type ReactNode, useEffect } from 'react';
import styles from './wheel.module.css';
import { labelLines } from './wheel-turn.ts';

export interface WheelSlice {
  code: string;
  label: string;
  bgColor: string;
  textColor: string;
}

interface WheelProps {
  /** What it is called, for who does not see it. */
  label: string;
  /** Clockwise, the first one at the top. All are drawn alike, whatever their chances. */
  slices: readonly WheelSlice[];
  /** How far it is turned, in degrees. A change is shown as motion, if motion is wanted. */
  turned?: number;
  isTurning?: boolean;
  /** Called once the wheel has stopped. */
  onRest?: () => void;
  /** The content of the middle: the button that spins it. */
  children?: ReactNode;
}

/** Longer than the motion: called also by a page that was hidden meanwhile and so showed none. */
const AT_LAST_MS = 4600;
const CENTRE = 150;
const RADIUS = 134;

/** A point on a circle around the centre, `angle` degrees clockwise from the top. */
function pointAt(angle: number, radius: number): string {
  const radians = ((angle - 90) * Math.PI) / 180;
  const [x, y] = [CENTRE + radius * Math.cos(radians), CENTRE + radius * Math.sin(radians)];
  return `${x.toFixed(2)} ${y.toFixed(2)}`;
}

/** A wheel of equal slices with its pointer at the top. */
export function Wheel({ label, slices, turned = 0, isTurning, onRest, children }: WheelProps) {
  useEffect(() => {
    if (!isTurning || !onRest) return;
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const timer = setTimeout(onRest, isStill ? 0 : AT_LAST_MS);
    return () => clearTimeout(timer);
  }, [isTurning, onRest]);
  const step = 360 / slices.length;
  return (
    <div className={styles.wheel}>
      <svg className={styles.pin} viewBox="0 0 32 40" aria-hidden="true">
        <path d="M16 39C9 27 3 21 3 14a13 13 0 0 1 26 0c0 7-6 13-13 25z" />
        <circle cx="16" cy="14" r="5" />
      </svg>
      <svg
        className={styles.face}
        viewBox="0 0 300 300"
        role="img"
        aria-label={`${label}: ${slices.map((slice) => slice.label).join(', ')}`}
        style={{ transform: `rotate(${turned}deg)` }}
        onTransitionEnd={() => isTurning && onRest?.()}
      >
        <circle className={styles.rim} cx={CENTRE} cy={CENTRE} r="148" />
        {slices.map((slice, index) => (
          <g key={slice.code} transform={`rotate(${index * step} ${CENTRE} ${CENTRE})`}>
            <path
              className={styles.slice}
              d={`M150 150L${pointAt(-step / 2, RADIUS)}A${RADIUS} ${RADIUS} 0 ${step > 180 ? 1 : 0} 1 ${pointAt(step / 2, RADIUS)}Z`}
              fill={slice.bgColor}
            />
            <Label text={slice.label} color={slice.textColor} count={slices.length} />
          </g>
        ))}
        {slices.map((slice, index) => {
          const [cx, cy] = pointAt((index + 0.5) * step, 141).split(' ');
          return <circle key={slice.code} className={styles.stud} cx={cx} cy={cy} r="3" />;
        })}
      </svg>
      <div className={styles.hub}>{children ?? <span className={styles.knob} />}</div>
    </div>
  );
}

function Label({ text, color, count }: { text: string; color: string; count: number }) {
  const { lines, size } = labelLines(text, count);
  return (
    <text className={styles.label} fill={color} fontSize={size}>
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of one label, which may be alike
        <tspan key={index} x={CENTRE} y={lines.length === 1 ? 54 : 44 + index * size * 1.35}>
          {line}
        </tspan>
      ))}
    </text>
  );
}
