/** Draws a slip as bank apps do: who paid whom, how much, when, and the mini QR at the foot. */
import { BANGKOK_OFFSET_MS } from '@krapao/contract/durations';
import { minorToDecimal } from '@krapao/contract/shared';
import sharp from 'sharp';
import { encode } from 'uqr';
import { maskedAccount, printedName } from '../bank/senders.ts';
import type { Account } from '../environment/state.ts';
import { FAMILY, knowFonts } from './fonts.ts';
import type { Slip } from './slips.ts';

const WIDTH = 720;
const HEIGHT = 1080;
const QR = { left: 480, top: 820, size: 200 } as const;
const BLUR = 14;
const MARGIN = 4;

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

const text = (x: number, y: number, size: number, content: string, more = ''): string =>
  `<text x="${x}" y="${y}" font-size="${size}" font-family="${FAMILY}, sans-serif" ${more}>${escaped(content)}</text>`;

const party = (y: number, title: string, account: Account): string =>
  text(60, y, 24, title, 'fill="#666"') +
  text(60, y + 42, 32, printedName(account), 'font-weight="bold"') +
  text(60, y + 80, 26, `${account.bankCode}  ${maskedAccount(account.accountNo)}`);

function code(payload: string): string {
  const { data, size } = encode(payload, { ecc: 'M', border: 0 });
  const cell = QR.size / (size + MARGIN * 2);
  const dark = data
    .flatMap((row, y) => row.map((on, x) => (on ? `M${x + MARGIN},${y + MARGIN}h1v1h-1z` : '')))
    .join('');
  return `<g transform="translate(${QR.left},${QR.top}) scale(${cell})"><path d="${dark}" fill="#111" shape-rendering="crispEdges"/></g>`;
}

function svgOf({ kind, from, to, line, amountMinor, payload }: Slip): string {
  const at = new Date(line.atMs + BANGKOK_OFFSET_MS).toISOString().replace('T', ' ').slice(0, 19);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">
<rect width="100%" height="100%" fill="#fff"/><rect width="100%" height="120" fill="#1f6f54"/>
${text(60, 76, 40, 'โอนเงินสำเร็จ · SANDBOX', 'fill="#fff" font-weight="bold"')}
${text(60, 170, 26, at, 'fill="#666"')}
${party(240, 'จาก / From', from)}${party(430, 'ไปยัง / To', to)}
${text(60, 640, 26, 'จำนวน / Amount', 'fill="#666"')}${text(60, 700, 52, minorToDecimal(amountMinor, 2), 'font-weight="bold"')}
${text(60, 770, 22, `Ref ${line.transRef}`, 'fill="#666"')}${text(60, 860, 22, 'สแกนตรวจสอบสลิป', 'fill="#666"')}
${kind === 'no-qr' ? '' : code(payload)}</svg>`;
}

/** The picture of a slip. Cropped ends above the code; blurred cannot be read. */
export async function drawSlip(slip: Slip, format: 'png' | 'jpeg' = 'png'): Promise<Buffer> {
  await knowFonts();
  let picture = sharp(Buffer.from(svgOf(slip)));
  if (slip.kind === 'cropped')
    picture = picture.extract({ left: 0, top: 0, width: WIDTH, height: QR.top - 10 });
  if (slip.kind === 'blurred') picture = picture.blur(BLUR);
  return format === 'jpeg' ? picture.jpeg({ quality: 85 }).toBuffer() : picture.png().toBuffer();
}
