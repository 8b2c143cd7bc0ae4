/** The browser by the first matching name in its user agent; browsers that also name others are listed first. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bLine\//, 'LINE'],
  [/\bFB(?:AN|AV)\b/, 'Facebook'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Headless)?(?:Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac(?:intosh| OS X)\b/, 'Mac'],
  [/\bLinux\b|\bX11\b/, 'Linux'],
];

/** Browser and device in a user agent, each by its own name; null where it tells none that we know. */
export function deviceOf(userAgent: string | null): { browser: string | null; system: string | null } {
  const find = (names: typeof BROWSERS) => names.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1];
  return { browser: find(BROWSERS) ?? null, system: find(SYSTEMS) ?? null };
}

/** The first half of an address: its owner recognises it and no other reader can use it. */
export function maskAddress(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/, '');
  if (plain.includes('.')) return `${plain.split('.').slice(0, 2).join('.')}.x.x`;
  return `${plain.split(':').slice(0, 2).join(':')}:…`;
}

/** Whether a browser is of a new kind; false without known browsers. */
export function isNewDevice(userAgent: string | null, known: readonly (string | null)[]): boolean {
  const kindOf = (one: string | null) => Object.values(deviceOf(one)).join();
  return known.length > 0 && !known.some((one) => kindOf(one) === kindOf(userAgent));
}
