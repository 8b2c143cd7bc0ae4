import { createHash, randomBytes } from 'node:crypto';
import { HOUR_MS } from '@krapao/contract/durations';
import { slips as slipContract } from '@krapao/contract/member';
import type { SlipReason } from '@krapao/contract/shared';
import { fromMinor, parseSlipCode, type SlipCode } from '@krapao/contract/shared';
import { readBalance } from '../../../ledger/index.ts';
import type { Files } from '../../../platform/files.ts';
import type { Declare } from '../../../platform/http/declare.ts';
import { BadForm, type Form } from '../../../platform/http/form.ts';
import type { Uploads } from '../../../platform/http/uploads.ts';
import { newId } from '../../../platform/ids.ts';
import type { Images } from '../../../platform/images/images.ts';
import type { Picture } from '../../../platform/images/reading.ts';
import type { Intent } from '../../../platform/intent.ts';
import type { Limits } from '../../../platform/limits.ts';
import { requireWithinLimit } from '../../../platform/limits.ts';
import { Refusal, type Refuse } from '../../../platform/refusal.ts';
import type { Member } from '../../../platform/sessions.ts';
import { isWithinHours, SLIP_MEGABYTES_MAX } from '../../lookups/read.ts';
import { checkSlip, type SlipCheckDeps, TAKEN_MS } from './check.ts';
import { findSlip, findSlipByKey, insertSlip, type SlipRow } from './queries.ts';

export interface SlipUploadDeps extends SlipCheckDeps {
  limits: Limits;
  images: Images;
  files: Files;
  uploads: Uploads;
}

const EXTENSION = /\.(jpe?g|png|webp)$/i;
/** Below it a picture has no edges: it is blurred, rather than cropped. */
const SHARP_LEAST = 1;
const WAIT_MS = 20_000;
const POLL_MS = 50;

const invalidFile = (refuse: Refuse<'SLIP_INVALID_FILE'>) =>
  refuse('SLIP_INVALID_FILE', { limit: SLIP_MEGABYTES_MAX });

function requireOpen(refuse: Refuse<'SLIP_UPLOAD_FAIL'>, deps: SlipUploadDeps): void {
  const hours = deps.settings.get('slip.closedHours');
  if (hours.some((window) => isWithinHours(deps.clock.now(), window)))
    throw refuse('SLIP_UPLOAD_FAIL', { closedHours: hours });
}

const PARTS = { fileField: 'file', fields: ['bankCode'], fileBytesMax: SLIP_MEGABYTES_MAX * 1024 * 1024 };

function refuseForm(refuse: Refuse<'SLIP_INVALID_FILE'>, error: unknown): never {
  if (!(error instanceof BadForm)) throw error;
  throw error.tooLarge ? invalidFile(refuse) : new Refusal('INVALID_REQUEST', undefined, error.message);
}

function requireFile(
  refuse: Refuse<'SLIP_NO_FILE' | 'SLIP_INVALID_FILE'>,
  form: Form | null,
): NonNullable<Form['file']> {
  if (!form?.file || form.file.bytes.length === 0) throw refuse('SLIP_NO_FILE');
  if (!EXTENSION.test(form.file.name)) throw invalidFile(refuse);
  return form.file;
}

async function readPicture(
  refuse: Refuse<'SLIP_INVALID_FILE'>,
  deps: SlipUploadDeps,
  bytes: Buffer,
  uploader: string,
): Promise<Picture> {
  const reading = await deps.images.read(bytes, uploader);
  if (!reading.ok || reading.picture.format === 'gif') throw invalidFile(refuse);
  return reading.picture;
}

/** The slip's code among those in the picture, or why there is none. */
function codeIn({ codes, sharpness }: Picture): { code: string; slip: SlipCode } | SlipReason {
  const read = codes.map((code) => ({ code, slip: parseSlipCode(code) }));
  for (const { code, slip } of read) if (typeof slip !== 'string') return { code, slip };
  if (read.some(({ slip }) => slip === 'CRC')) return 'UNSTABLE_REFERENCE';
  if (read.length > 0) return 'INVALID_SLIP';
  return sharpness < SHARP_LEAST ? 'IMAGE_UNPROCESSABLE' : 'CROPPED_IMAGE_UNREADABLE';
}

/** Keeps the picture and its row; null when the member's key was used before. */
async function store(
  deps: SlipUploadDeps,
  member: Member,
  upload: { picture: Picture; imageHash: Buffer; key: string | null },
): Promise<string | null> {
  const now = deps.clock.now();
  const id = newId('SL', now);
  const found = codeIn(upload.picture);
  const [code, slip] = typeof found === 'string' ? [null, null] : [found.code, found.slip];
  const file = await deps.files.put(upload.picture.jpeg);
  const isNew = await insertSlip(deps.pool, {
    id,
    memberId: member.id,
    reference: randomBytes(12).toString('hex'),
    idempotencyKey: upload.key,
    imageHash: upload.imageHash,
    file,
    code,
    sendingBank: slip && (slip.kind === 'bank' ? slip.sendingBank : 'TRUEMONEY'),
    transRef: slip && (slip.kind === 'bank' ? slip.transRef : slip.transactionId),
    status: typeof found === 'string' ? 'FAILED' : 'PENDING',
    note: typeof found === 'string' ? found : null,
    checkAt: code === null ? null : new Date(now.getTime() + TAKEN_MS),
    now,
  });
  if (isNew) return id;
  await deps.files.remove(file);
  return null;
}

/** What the first call under a key did; one that is still being checked is waited for. */
async function repeat(
  refuse: Refuse<'IDEMPOTENCY_CONFLICT'>,
  deps: SlipUploadDeps,
  intent: Intent,
  imageHash: Buffer,
): Promise<SlipRow> {
  const end = Date.now() + WAIT_MS;
  for (;;) {
    const slip = (await findSlipByKey(deps.pool, intent.memberId, intent.key))!;
    if (!slip.image_hash.equals(imageHash)) throw refuse('IDEMPOTENCY_CONFLICT');
    if (slip.status !== 'PENDING' || slip.asked > 0 || Date.now() > end) return slip;
    await new Promise((resume) => setTimeout(resume, POLL_MS));
  }
}

async function receiptOf(deps: SlipUploadDeps, member: Member, slip: SlipRow) {
  const { balanceMinor } = await readBalance(deps.pool, member.walletAccount);
  // A receipt is in the member's currency. A slip in another one fails, and the list has its amount.
  const amountMinor = slip.currency === member.currency ? slip.amount : null;
  return {
    id: slip.id,
    type: 'deposit' as const,
    status: slip.status,
    amount: fromMinor(amountMinor ?? 0n, member.currency),
    from: slip.bank_code ?? member.bankCode,
    to: 'wallet',
    createdAt: slip.created_at.toISOString(),
    message: slip.note ?? 'OK',
    wallet: { amount: fromMinor(balanceMinor, member.currency) },
    reference: slip.reference,
    ...(slip.deposit_id ? { statementId: slip.deposit_id } : {}),
  };
}

/**
 * Handles the upload. The picture is re-encoded before it is stored; the verdict comes from the bank, not from it. The
 * member's own limits and exclusions, and closed deposits, do not refuse it: a slip proves a payment that was made.
 */
export function slipUploadCall(declare: Declare, deps: SlipUploadDeps): void {
  declare(slipContract.uploadSlip, async ({ member, intent, request, refuse }) => {
    // A repeat is decided already, also once the hours have begun.
    if (!intent || !(await findSlipByKey(deps.pool, member.id, intent.key))) requireOpen(refuse, deps);
    const max = deps.settings.get('slip.hourMax');
    const window = { key: `slip:${member.id}`, max, ms: HOUR_MS };
    await requireWithinLimit(deps.limits, window, deps.clock.now());
    const uploader = { isGuest: false, key: `member:${member.id}` };
    const { imageHash, picture } = await deps.uploads
      .receive(request, PARTS, uploader, async (form) => {
        const { bytes } = requireFile(refuse, form);
        const hash = createHash('sha256').update(bytes).digest();
        return { imageHash: hash, picture: await readPicture(refuse, deps, bytes, uploader.key) };
      })
      .catch((error: unknown) => refuseForm(refuse, error));
    const id = await store(deps, member, { picture, imageHash, key: intent?.key ?? null });
    if (id === null) return receiptOf(deps, member, await repeat(refuse, deps, intent!, imageHash));
    await checkSlip(deps, id);
    return receiptOf(deps, member, await findSlip(deps.pool, id));
  });
}
