/** Pictures for the slip bench, the same in every run. */
import { crc32, deflateSync } from 'node:zlib';
import { encodeSlipCode } from '@krapao/contract/shared';
import sharp from 'sharp';
import { encode } from 'uqr';

const WIDTH = 720;
const HEIGHT = 1080;

/** A small generator with a seed (mulberry32, public domain). */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function svgOf(code: string, side: number, left: number, top: number): string {
  const { data, size } = encode(code, { ecc: 'M', border: 0 });
  const dark = data.flatMap((row, y) => row.map((on, x) => (on ? `M${x},${y}h1v1h-1z` : ''))).join('');
  const lines = Array.from(
    { length: 12 },
    (_, row) =>
      `<rect x="60" y="${160 + row * 48}" width="${200 + ((row * 97) % 360)}" height="20" fill="#444"/>`,
  ).join('');
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}"><rect width="100%" height="100%" fill="#fff"/>
<rect width="100%" height="120" fill="#1f6f54"/>${lines}<g transform="translate(${left},${top}) scale(${side / size})"><path d="${dark}"/></g></svg>`;
}

/** Slip number `index`: code 90–220 px wide, turned up to 12°, sheared, blurred up to 2.2, JPEG of quality 20–90. */
export async function randomSlip(index: number): Promise<{ picture: Buffer; code: string }> {
  const draw = chance(index + 1);
  const between = (low: number, high: number) => low + draw() * (high - low);
  const transRef = `2026${String(Math.floor(draw() * 1e15)).padStart(16, '0')}`;
  const code = encodeSlipCode({ sendingBank: '014', transRef });
  const side = between(90, 220);
  const svg = svgOf(code, side, between(60, WIDTH - side - 60), between(780, HEIGHT - side - 40));
  const shear = between(-0.1, 0.1);
  const turned = await sharp(Buffer.from(svg))
    .affine([1, shear, 0, 1], { background: '#bbb' })
    .rotate(between(-12, 12), { background: '#bbb' })
    .png()
    .toBuffer();
  const picture = await sharp(turned)
    .blur(between(0.3, 2.2))
    .jpeg({ quality: Math.round(between(20, 90)) })
    .toBuffer();
  return { picture, code };
}

function part(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

/** A PNG of one bit a pixel: small as a file, `side` × `side` when unpacked. */
export function bombPicture(side: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header[8] = 1;
  const rows = deflateSync(Buffer.alloc((Math.ceil(side / 8) + 1) * side), { level: 9 });
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    part('IHDR', header),
    part('IDAT', rows),
    part('IEND', Buffer.alloc(0)),
  ]);
}
