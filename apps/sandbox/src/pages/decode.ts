/** Reads the QR in a picture with ZXing compiled to WebAssembly, loaded from the package and never fetched. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';

let ready: Promise<unknown> | undefined;

const prepare = (): Promise<unknown> => {
  ready ??= (async () => {
    const wasm = readFileSync(fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm')));
    const wasmBinary = wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength) as ArrayBuffer;
    await prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true });
  })();
  return ready;
};

/** The text of the first QR in a PNG, JPEG or similar picture, or null when none can be read. */
export async function decodeQrPicture(picture: Uint8Array): Promise<string | null> {
  await prepare();
  try {
    const [found] = await readBarcodes(new Uint8Array(picture), {
      formats: ['QRCode'],
      tryHarder: true,
      maxNumberOfSymbols: 1,
    });
    return found?.isValid ? found.text : null;
  } catch {
    // Not a picture at all.
    return null;
  }
}
