import styles from './public-aside.module.css';

/** Layers from the farthest to the nearest; white and black over the panel's own green, so that they follow the theme. */
const HILLS = [
  {
    fill: 'rgb(255 255 255 / 0.07)',
    path: 'M0 196C70 150 118 138 176 168C226 120 292 96 352 150C404 118 462 128 510 164C560 138 602 142 640 160V480H0Z',
  },
  {
    fill: 'rgb(255 255 255 / 0.08)',
    path: 'M0 246C64 212 132 206 206 236C280 196 346 194 418 230C486 200 560 200 640 232V480H0Z',
  },
  { fill: 'rgb(0 0 0 / 0.14)', path: 'M0 292C92 262 170 268 250 286C350 262 452 262 640 292V480H0Z' },
];

const RIPPLES = [
  'M330 330C352 324 374 324 396 330S440 336 462 330',
  'M58 352C84 345 110 345 136 352S188 359 214 352',
  'M300 388C330 380 360 380 390 388S450 396 480 388',
  'M96 420C130 411 164 411 198 420S266 429 300 420',
  'M430 432C456 425 482 425 508 432S560 439 586 432',
];

const LANTERNS = [
  { x: 396, y: 152, size: 0.6 },
  { x: 588, y: 196, size: 0.5 },
];

/** A river at dusk with a boat and lanterns, cut from paper like the pictures of the games. */
export function RiverPicture() {
  return (
    <svg
      className={styles.picture}
      viewBox="0 0 640 480"
      preserveAspectRatio="xMidYMax slice"
      aria-hidden="true"
    >
      <g className={styles.sky}>
        <circle cx="500" cy="132" r="92" fill="rgb(255 255 255 / 0.05)" />
        <circle cx="500" cy="132" r="54" fill="#f0d9a6" />
        {LANTERNS.map(({ x, y, size }) => (
          <g key={x} transform={`translate(${x} ${y}) scale(${size})`}>
            <circle r="34" fill="rgb(240 217 166 / 0.12)" />
            <path fill="#e3bc6e" d="M-12-18H12L16 12C16 18 10 22 0 22S-16 18-16 12Z" />
            <path fill="#f6e7c4" d="M-7-10H7L9 10C9 14 6 16 0 16S-9 14-9 10Z" />
          </g>
        ))}
      </g>
      {HILLS.map(({ fill, path }) => (
        <path key={path} fill={fill} d={path} />
      ))}
      <path fill="rgb(0 0 0 / 0.16)" d="M0 318C120 302 214 308 330 314C450 320 540 306 640 316V480H0Z" />
      <g fill="#f0d9a6" opacity="0.34">
        <rect x="462" y="322" width="76" height="5" rx="2.5" />
        <rect x="446" y="342" width="108" height="5" rx="2.5" />
        <rect x="470" y="362" width="60" height="5" rx="2.5" />
      </g>
      <g fill="none" stroke="rgb(255 255 255 / 0.22)" strokeWidth="3" strokeLinecap="round">
        {RIPPLES.map((path) => (
          <path key={path} d={path} />
        ))}
      </g>
      <g transform="translate(150 372)">
        <path fill="rgb(0 0 0 / 0.28)" d="M6 42C70 54 160 54 226 40L214 50C160 62 70 62 18 52Z" />
        <path fill="#f6f5f0" d="M-8 8C10 32 46 42 110 42S214 30 240 0C238 30 206 56 112 56S0 42-8 8Z" />
        <path fill="#e3bc6e" d="M4 26C30 42 66 48 112 48S198 42 224 24C212 46 178 56 112 56S18 48 4 26Z" />
        <path fill="#173a32" d="M78 42V14C92 0 132 0 146 14V42C124 45 100 45 78 42Z" />
        <path fill="#ddeee8" d="M70 16C88-8 136-8 154 16C128 8 96 8 70 16Z" />
        <circle cx="112" cy="26" r="7" fill="#f0d9a6" />
      </g>
      <path fill="rgb(0 0 0 / 0.3)" d="M0 452C140 432 280 452 400 458S580 446 640 440V480H0Z" />
      <g fill="none" stroke="rgb(0 0 0 / 0.34)" strokeWidth="5" strokeLinecap="round">
        <path d="M560 456C558 410 570 372 566 330M580 458C584 420 600 392 604 362M44 462C48 424 34 392 38 356M70 460C70 436 82 414 86 396" />
      </g>
    </svg>
  );
}
