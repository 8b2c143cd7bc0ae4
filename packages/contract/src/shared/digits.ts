/** Thai, Lao and full-width digits as ASCII ones; everything else stays. */
export const asciiDigits = (typed: string): string =>
  // In these three blocks of Unicode a digit's value is the low half of its last byte.
  typed.replace(/[๐-๙໐-໙０-９]/g, (digit) => String(digit.charCodeAt(0) & 0xf));
