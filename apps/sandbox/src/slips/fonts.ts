/** Thai and Lao letters for drawn pictures: the drawing library reads TrueType only, the packages carry WOFF2. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import subsetFont from 'subset-font';

export const FAMILY = 'Google Sans';

const range = (from: number, to: number): string =>
  String.fromCodePoint(...Array.from({ length: to - from + 1 }, (_, index) => from + index));
const SCRIPTS = { thai: range(0x0e01, 0x0e5b), lao: range(0x0e81, 0x0edf) } as const;

let ready: Promise<void> | undefined;

async function make(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-fonts-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const [script, letters] of Object.entries(SCRIPTS)) {
    const name = `@fontsource-variable/google-sans/files/google-sans-${script}-wght-normal.woff2`;
    const packed = readFileSync(fileURLToPath(import.meta.resolve(name)));
    const fontfile = join(folder, `${script}.ttf`);
    writeFileSync(fontfile, await subsetFont(packed, `${letters} `, { targetFormat: 'sfnt' }));
    // Drawing one letter with a file makes the family known to all later drawing of this process.
    await sharp({ text: { text: letters[0]!, fontfile, font: FAMILY } })
      .png()
      .toBuffer();
  }
}

/** Makes FAMILY known to the drawing library; does nothing the second time. */
export const knowFonts = (): Promise<void> => {
  ready ??= make();
  return ready;
};
