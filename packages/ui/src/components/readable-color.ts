const CONTRAST_LEAST = 4.6;
const WHITE_LUMINANCE = 1;

/** Relative luminance of a #rrggbb colour (WCAG 2.2). */
function luminance([red, green, blue]: readonly number[]): number {
  const linear = (part: number) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  return 0.2126 * linear(red!) + 0.7152 * linear(green!) + 0.0722 * linear(blue!);
}

/**
 * The colour, darkened as far as white text on it needs to be read (4.6 : 1). An operator or a bank chooses the
 * colour; the text on it must stay readable whatever it is.
 */
export function readableUnderWhite(color: string): string {
  const parts = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255);
  if (!/^#[0-9a-f]{6}$/i.test(color)) return '#4c5d57';
  let shade = 1;
  const shaded = () => parts.map((part) => part * shade);
  while ((WHITE_LUMINANCE + 0.05) / (luminance(shaded()) + 0.05) < CONTRAST_LEAST) shade -= 0.02;
  return `#${shaded()
    .map((part) =>
      Math.round(part * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;
}
