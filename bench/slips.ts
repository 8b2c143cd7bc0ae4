/**
 * How many slips are read and how fast: a hundred random ones, turned, sheared, blurred and compressed as photos of
 * screens are; and how soon, within how much memory, a decompression bomb is refused.
 * Usage: npm run bench -- slips [count]
 */
import { createImages } from '@krapao/server/images';
import { numberArgument } from './src/arguments.ts';
import { judge, median } from './src/bench-env.ts';
import { bombPicture, randomSlip } from './src/slip-pictures.ts';

const count = numberArgument(0, 100);
const BOMB_SIDE = 25_000;
const MB = 1024 * 1024;

const images = createImages({ queueMax: count });
const times: number[] = [];
let right = 0;
let wrong = 0;
for (let index = 0; index < count; index++) {
  const { picture, code } = await randomSlip(index);
  const started = performance.now();
  const reading = await images.read(picture, 'bench');
  // The first one starts the thread, which no upload after it has to wait for.
  if (index > 0) times.push(performance.now() - started);
  const codes = reading.ok ? reading.picture.codes : [];
  if (codes[0] === code) right++;
  else if (codes.length > 0) wrong++;
}
times.sort((a, b) => a - b);
const p95 = times[Math.floor(times.length * 0.95)] ?? 0;
console.log(`${count} slips: ${right} read, ${wrong} read wrongly, ${count - right - wrong} not read`);

const bomb = bombPicture(BOMB_SIDE);
const before = process.memoryUsage().rss;
const started = performance.now();
const refused = await images.read(bomb, 'bench');
const bombMs = performance.now() - started;
const bombMb = Math.max(0, process.memoryUsage().rss - before) / MB;
await images.close();
console.log(
  `${(BOMB_SIDE * BOMB_SIDE) / 1e6} megapixels in ${(bomb.length / 1000).toFixed(0)} kB: ${refused.ok ? 'READ' : refused.why}`,
);

const isFine = judge([
  { name: 'slips read, percent', reached: (right / count) * 100, bar: 90, aim: 94 },
  { name: 'read wrongly', reached: wrong, bar: 0, aim: 0, lowerIsBetter: true },
  { name: 'median, ms', reached: median(times), bar: 300, aim: 100, lowerIsBetter: true },
  { name: 'p95, ms', reached: p95, bar: 1000, aim: 300, lowerIsBetter: true },
  { name: 'bomb refused after, ms', reached: bombMs, bar: 2000, aim: 100, lowerIsBetter: true },
  { name: 'bomb took, MB', reached: bombMb, bar: 250, aim: 50, lowerIsBetter: true },
]);
process.exit(isFine && !refused.ok ? 0 : 1);
