/** Runs in a worker thread: says when it is ready, decodes one picture at a time, which may be hostile, and answers what it is. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import decodeQr from 'qr/decode.js';
import sharp from 'sharp';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import { type ImageThreadData, type Picture, type Reading, SIDE_MAX, type ThreadMessage } from './reading.ts';

const FORMATS = ['jpeg', 'png', 'webp', 'gif'] as const;
const CODES_MAX = 5;
const { pixelsMax: PIXELS_MAX } = workerData as ImageThreadData;

sharp.cache(false);
sharp.concurrency(1);
// Bundled: the library would fetch its program from elsewhere.
const wasm = readFileSync(fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm')));
await prepareZXingModule({
  overrides: {
    wasmBinary: wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength) as ArrayBuffer,
  },
  fireImmediately: true,
});

interface Pixels {
  data: Buffer;
  width: number;
  height: number;
}

async function pixelsOf(bytes: Uint8Array): Promise<Pixels> {
  const { data, info } = await sharp(bytes, { limitInputPixels: PIXELS_MAX, failOn: 'error' })
    .autoOrient()
    .resize({ width: SIDE_MAX, height: SIDE_MAX, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .flatten({ background: '#ffffff' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

const redraw = ({ data, width, height }: Pixels) =>
  sharp(data, { raw: { width, height, channels: 4 } }).removeAlpha();

async function zxing({ data, width, height }: Pixels): Promise<string[]> {
  const pixels = new Uint8ClampedArray(data.buffer as ArrayBuffer, data.byteOffset, data.byteLength);
  const found = await readBarcodes(
    { data: pixels, width, height, colorSpace: 'srgb' } as Parameters<typeof readBarcodes>[0],
    {
      formats: ['QRCode'],
      tryHarder: true,
      tryRotate: true,
      tryInvert: true,
      maxNumberOfSymbols: CODES_MAX,
    },
  );
  return found.filter((code) => code.isValid).map((code) => code.text);
}

function secondReader({ data, width, height }: Pixels): string[] {
  try {
    return [decodeQr({ data, width, height })];
  } catch {
    // It says by throwing that there is none.
    return [];
  }
}

async function headerOf(bytes: Uint8Array) {
  try {
    return await sharp(bytes, { limitInputPixels: false }).metadata();
  } catch {
    return null;
  }
}

async function read(bytes: Uint8Array): Promise<Reading> {
  const header = await headerOf(bytes);
  const format = FORMATS.find((one) => one === header?.format);
  if (!header || !format) return { ok: false, why: 'FORMAT' };
  if (header.width * header.height > PIXELS_MAX) return { ok: false, why: 'PIXELS' };
  const pixels = await pixelsOf(bytes).catch(() => null);
  if (!pixels) return { ok: false, why: 'BROKEN' };
  const first = await zxing(pixels);
  const codes = first.length > 0 ? first : secondReader(pixels);
  const { sharpness } = await redraw(pixels).stats();
  const jpeg = await redraw(pixels).jpeg({ quality: 82 }).toBuffer();
  const picture: Picture = { format, jpeg, width: pixels.width, height: pixels.height, codes, sharpness };
  return { ok: true, picture };
}

const say = (message: ThreadMessage) => parentPort!.postMessage(message);

parentPort!.on('message', (bytes: Uint8Array) => {
  void read(bytes)
    .catch((): Reading => ({ ok: false, why: 'BROKEN' }))
    .then(say);
});
say('ready');
