import { crc32, deflateSync } from 'node:zlib';
import type { Page } from '@playwright/test';

const COLOURS = 256;
/** Bits of each channel that tell colours apart before they are averaged. */
const BITS = 6;

interface Bucket {
  key: number;
  count: number;
  sum: [number, number, number];
}

interface Pixels {
  width: number;
  height: number;
  rgba: Buffer;
}

/** Runs in the page: a picture's pixels, as base64. */
async function readPixels(address: string): Promise<{ width: number; height: number; data: string }> {
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height);
  const context = canvas.getContext('2d')!;
  context.drawImage(image, 0, 0);
  const { data, width, height } = context.getImageData(0, 0, image.width, image.height);
  let text = '';
  for (let at = 0; at < data.length; at += 32_768)
    text += String.fromCharCode(...data.subarray(at, at + 32_768));
  return { width, height, data: btoa(text) };
}

const keyOf = (rgba: Buffer, at: number): number =>
  [0, 1, 2].reduce((key, channel) => (key << BITS) | (rgba[at + channel]! >> (8 - BITS)), 0);

function bucketsOf({ rgba }: Pixels): Bucket[] {
  const found = new Map<number, Bucket>();
  for (let at = 0; at < rgba.length; at += 4) {
    const key = keyOf(rgba, at);
    const bucket = found.get(key) ?? { key, count: 0, sum: [0, 0, 0] };
    bucket.count++;
    for (const channel of [0, 1, 2] as const) bucket.sum[channel] += rgba[at + channel]!;
    found.set(key, bucket);
  }
  return [...found.values()];
}

const mean = ({ sum, count }: Bucket, channel: 0 | 1 | 2): number => sum[channel] / count;

/** The channel in which a box is widest, and by how much, weighed by how much of the picture it is. */
function widest(box: Bucket[]): { channel: 0 | 1 | 2; weight: number } {
  const widths = ([0, 1, 2] as const).map((channel) => {
    const values = box.map((bucket) => mean(bucket, channel));
    return Math.max(...values) - Math.min(...values);
  });
  const width = Math.max(...widths);
  const size = box.reduce((sum, { count }) => sum + count, 0);
  return { channel: widths.indexOf(width) as 0 | 1 | 2, weight: width * Math.sqrt(size) };
}

/** Median cut: the widest box is halved until there are enough. */
function boxesOf(buckets: Bucket[]): Bucket[][] {
  const boxes = [{ box: buckets, ...widest(buckets) }];
  while (boxes.length < COLOURS) {
    boxes.sort((a, b) => b.weight - a.weight);
    const { box, channel, weight } = boxes[0]!;
    if (weight === 0) break;
    const sorted = box.toSorted((a, b) => mean(a, channel) - mean(b, channel));
    const middle = Math.ceil(sorted.length / 2);
    const halves = [sorted.slice(0, middle), sorted.slice(middle)];
    boxes.splice(0, 1, ...halves.map((half) => ({ box: half, ...widest(half) })));
  }
  return boxes.map(({ box }) => box);
}

function chunk(name: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name), body]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(body.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

function encode({ width, height, rgba }: Pixels, boxes: Bucket[][]): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3], 8);
  const palette = Buffer.alloc(boxes.length * 3);
  const places = new Map<number, number>();
  for (const [place, box] of boxes.entries()) {
    const size = box.reduce((sum, { count }) => sum + count, 0);
    for (const channel of [0, 1, 2] as const)
      palette[place * 3 + channel] = Math.round(box.reduce((sum, one) => sum + one.sum[channel], 0) / size);
    for (const { key } of box) places.set(key, place);
  }
  const rows = Buffer.alloc((width + 1) * height);
  for (let pixel = 0; pixel < width * height; pixel++)
    rows[pixel + Math.floor(pixel / width) + 1] = places.get(keyOf(rgba, pixel * 4))!;
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const data = deflateSync(rows, { level: 9 });
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('PLTE', palette),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** The same picture with 256 colours, which documents can carry. `page` only lends its decoder. */
export async function withPalette(page: Page, png: Buffer): Promise<Buffer> {
  const { width, height, data } = await page.evaluate(
    readPixels,
    `data:image/png;base64,${png.toString('base64')}`,
  );
  const pixels = { width, height, rgba: Buffer.from(data, 'base64') };
  return encode(pixels, boxesOf(bucketsOf(pixels)));
}
