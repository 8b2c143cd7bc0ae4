import { MINUTE_MS } from '@krapao/contract/durations';
import type { KycDocument } from '@krapao/contract/shared';
import sharp from 'sharp';
import type { DemoContext, DemoMember } from './member.ts';
import { demoOperator } from './operator.ts';

/** A card without a word on it, so that it is nobody's and needs no font. */
const CARD = `<g>
  <rect x="20" y="20" width="600" height="380" rx="26" fill="#dfeee9" stroke="#0b5d4b" stroke-width="4"/>
  <rect x="20" y="20" width="600" height="70" rx="26" fill="#0b5d4b"/>
  <rect x="440" y="150" width="140" height="180" rx="10" fill="#f6f2e6" stroke="#0b5d4b" stroke-width="2"/>
  <circle cx="510" cy="215" r="36" fill="#8a6a45"/><path d="M450 330c8-52 112-52 120 0z" fill="#33544b"/>
  <g fill="#7a9990"><rect x="60" y="150" width="300" height="18" rx="9"/><rect x="60" y="195" width="340" height="18" rx="9"/>
  <rect x="60" y="240" width="220" height="18" rx="9"/><rect x="60" y="300" width="120" height="18" rx="9"/></g></g>`;
const DRAWINGS: Record<'identity' | 'selfie', string> = {
  identity: `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="420"><rect width="640" height="420" fill="#b9a88a"/>${CARD}</svg>`,
  selfie: `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="860"><rect width="640" height="860" fill="#cfd8d4"/>
    <circle cx="320" cy="270" r="130" fill="#8a6a45"/><path d="M90 860c10-380 450-380 460 0z" fill="#33544b"/>
    <g transform="translate(150 560) scale(.53)">${CARD}</g></svg>`,
};
const DOCUMENTS = Object.keys(DRAWINGS) as (keyof typeof DRAWINGS)[];

async function send(member: DemoMember, kind: KycDocument & keyof typeof DRAWINGS): Promise<void> {
  const jpeg = await sharp(Buffer.from(DRAWINGS[kind])).jpeg().toBuffer();
  const form = new FormData();
  form.set('kind', kind);
  form.set('file', new Blob([new Uint8Array(jpeg)], { type: 'image/jpeg' }), `${kind}.jpg`);
  await member.call('POST /api/account/kyc/documents', form);
}

/** An operator requests documents and the member sends them; with `isDecided` the member is verified half an hour later. */
export async function checkIdentity(
  { app, sandbox }: DemoContext,
  member: DemoMember,
  { isDecided }: { isDecided: boolean },
): Promise<void> {
  const risk = demoOperator(app, 'demo-risk');
  const path = `/api/operator/members/${member.id}/kyc`;
  const later = (minutes: number) => sandbox.moveTo(sandbox.clock.now().getTime() + minutes * MINUTE_MS);
  const seen = { round: 0, state: null };
  await risk.call(`POST ${path}/request`, { seen, documents: DOCUMENTS, reason: 'ยอดถอนสูงกว่าปกติ' });
  await later(9);
  for (const kind of DOCUMENTS) await send(member, kind);
  if (!isDecided) return;
  await later(30);
  const submitted = { round: 1, state: 'SUBMITTED' };
  await risk.call(`POST ${path}/verify`, { seen: submitted, reason: 'ชื่อและรูปตรงกับบัญชี' });
}
