import { HOUR_MS } from '@krapao/contract/durations';
import { kyc } from '@krapao/contract/member';
import {
  KYC_DOCUMENTS,
  KYC_MEGABYTES_MAX,
  KYC_OWN_DOCUMENTS,
  type KycDocument,
} from '@krapao/contract/shared';
import { writeMemberAudit } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Pool } from '../../platform/database/db.ts';
import { entityRef } from '../../platform/entity-ref.ts';
import type { Files } from '../../platform/files.ts';
import type { Declare } from '../../platform/http/declare.ts';
import { BadForm, type Form } from '../../platform/http/form.ts';
import type { Uploads } from '../../platform/http/uploads.ts';
import type { Images } from '../../platform/images/images.ts';
import type { Limits } from '../../platform/limits.ts';
import { requireWithinLimit } from '../../platform/limits.ts';
import { Refusal, type Refuse } from '../../platform/refusal.ts';
import type { Member } from '../../platform/sessions.ts';
import type { Settings } from '../../platform/settings.ts';
import { inTransaction } from '../../platform/transaction.ts';
import {
  beginCheck,
  type CheckRow,
  findCheck,
  listReceived,
  lockCheck,
  putDocument,
  submit,
} from './queries.ts';

export interface KycDeps {
  pool: Pool;
  clock: Clock;
  settings: Settings;
  limits: Limits;
  images: Images;
  files: Files;
  uploads: Uploads;
}

/** Pictures of one member within an hour. */
const HOUR_MAX = 30;
const PARTS = { fileField: 'file', fields: ['kind'], fileBytesMax: KYC_MEGABYTES_MAX * 1024 * 1024 };

/** Whether the member is to send documents now. */
const isOpen = (check: CheckRow | undefined): check is CheckRow =>
  check?.state === 'REQUESTED' || check?.state === 'REFUSED';

/** Whether members may begin a check: where it makes a difference to their withdrawals. */
const isOffered = ({ settings }: Pick<KycDeps, 'settings'>, { currency }: Member): boolean =>
  settings.get('withdraw.verifiedFrom')[currency] > 0;

async function viewOf(deps: Pick<KycDeps, 'pool' | 'settings'>, member: Member) {
  const { pool: db } = deps;
  const memberId = member.id;
  const check = await findCheck(db, memberId);
  if (!check) {
    const wanted = isOffered(deps, member) ? [...KYC_OWN_DOCUMENTS] : [];
    return { state: null, wanted, received: [], refusal: null };
  }
  const { state, wanted, refusal, round } = check;
  const received = isOpen(check) ? await listReceived(db, memberId, round) : [];
  return {
    state,
    wanted: isOpen(check) ? KYC_DOCUMENTS.filter((kind) => wanted.includes(kind)) : [],
    received: received.filter((kind) => wanted.includes(kind)),
    refusal: state === 'REFUSED' ? refusal : null,
  };
}

/** The document's kind and the picture, drawn again; throws for what is neither. */
async function readDocument(
  refuse: Refuse<'SLIP_INVALID_FILE'>,
  images: Images,
  form: Form | null,
  uploader: string,
): Promise<{ kind: KycDocument; jpeg: Uint8Array }> {
  const kind = KYC_DOCUMENTS.find((one) => one === form?.fields.kind);
  if (!kind || !form?.file) throw new Refusal('INVALID_REQUEST', undefined, 'a file and its kind');
  const reading = await images.read(form.file.bytes, uploader);
  if (!reading.ok || reading.picture.format === 'gif')
    throw refuse('SLIP_INVALID_FILE', { limit: KYC_MEGABYTES_MAX });
  return { kind, jpeg: reading.picture.jpeg };
}

/**
 * Keeps a picture that is in the store as a document of the open round, and submits the round with its last document.
 * Returns the key of the picture it replaces. Throws NO_DATA when the document is not wanted, or not any more.
 */
async function keep(
  refuse: Refuse<'NO_DATA'>,
  deps: KycDeps,
  member: Member & { address: string },
  { kind, file }: { kind: KycDocument; file: string },
): Promise<string | null> {
  return inTransaction(deps.pool, async (tx) => {
    const now = deps.clock.now();
    if (isOffered(deps, member))
      await beginCheck(tx, { memberId: member.id, wanted: KYC_OWN_DOCUMENTS, now });
    const check = await lockCheck(tx, member.id);
    if (!isOpen(check) || !check.wanted.includes(kind)) throw refuse('NO_DATA');
    const replaced = await putDocument(tx, { memberId: member.id, round: check.round, kind, file, now });
    const received = await listReceived(tx, member.id, check.round);
    if (!check.wanted.every((one) => received.includes(one))) return replaced;
    await submit(tx, member.id, now);
    const entry = { action: 'kyc.submit', subject: entityRef('member', member.id) };
    await writeMemberAudit(
      tx,
      member,
      { ...entry, before: { state: check.state }, after: { state: 'SUBMITTED', documents: check.wanted } },
      now,
    );
    return replaced;
  });
}

/** Answers how far the member's identity check is. */
export function kycCalls(declare: Declare, deps: Pick<KycDeps, 'pool' | 'settings'>): void {
  declare(kyc.readKyc, ({ member }) => viewOf(deps, member));
}

/** Receives documents. Each is drawn again and encrypted before it is stored; what is not kept is deleted. */
export function kycUploadCall(declare: Declare, deps: KycDeps): void {
  const { files } = deps;
  declare(kyc.sendKycDocument, async ({ member, request, address, refuse }) => {
    if ((await viewOf(deps, member)).wanted.length === 0) throw refuse('NO_DATA');
    const window = { key: `kyc:${member.id}`, max: HOUR_MAX, ms: HOUR_MS };
    await requireWithinLimit(deps.limits, window, deps.clock.now());
    const uploader = { isGuest: false, key: `member:${member.id}` };
    const document = await deps.uploads
      .receive(request, PARTS, uploader, (form) => readDocument(refuse, deps.images, form, uploader.key))
      .catch((error: unknown) => {
        if (!(error instanceof BadForm)) throw error;
        throw error.tooLarge
          ? refuse('SLIP_INVALID_FILE', { limit: KYC_MEGABYTES_MAX })
          : new Refusal('INVALID_REQUEST', undefined, error.message);
      });
    const file = await files.put(document.jpeg);
    const kept = { kind: document.kind, file };
    const replaced = await keep(refuse, deps, { ...member, address }, kept).catch(async (error) => {
      // After a lost connection the row may be there; a file without one is swept.
      if (error instanceof Refusal) await files.remove(file);
      throw error;
    });
    if (replaced !== null) await files.remove(replaced);
    return viewOf(deps, member);
  });
}
