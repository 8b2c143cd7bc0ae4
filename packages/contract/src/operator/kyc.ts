/** The identity check of members as operators run it. */
import { Type } from 'typebox';
import { KYC_DOCUMENTS, KYC_REFUSALS, KYC_STATES } from '../shared/kyc.ts';
import { operatorCall } from './call.ts';
import { Closed, Id, Nullable, OneOf, Reason, Timestamp } from './schemas.ts';

const params = Closed({ id: Id });
const Documents = Type.Array(OneOf(KYC_DOCUMENTS), {
  minItems: 1,
  maxItems: KYC_DOCUMENTS.length,
  uniqueItems: true,
});
/** The check as the caller saw it; ROW_CHANGED when it is another one meanwhile. */
const seen = {
  seen: Closed({
    round: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
    state: Nullable(OneOf(KYC_STATES)),
  }),
};

const KycCheck = Closed(
  {
    state: Nullable(OneOf(KYC_STATES)),
    round: Type.Integer({ description: 'Grows with every request and decision; 0: there is no check.' }),
    wanted: Type.Array(OneOf(KYC_DOCUMENTS)),
    refusal: Nullable(OneOf(KYC_REFUSALS)),
    requestedBy: Nullable(Type.String()),
    requestedAt: Nullable(Timestamp),
    submittedAt: Nullable(Timestamp),
    decidedBy: Nullable(Type.String()),
    decidedAt: Nullable(Timestamp),
    documents: Type.Array(
      Closed({
        id: Type.String(),
        kind: OneOf(KYC_DOCUMENTS),
        receivedAt: Timestamp,
        isReplaced: Type.Boolean({ description: 'A newer picture of the same document has come.' }),
      }),
      { description: 'Newest first, 50 at most.' },
    ),
  },
  { $id: 'KycCheck' },
);

export const readKyc = operatorCall({
  method: 'GET',
  path: '/api/operator/members/{id}/kyc',
  permission: 'member.read',
  summary: 'The identity check of a member and the documents that have come; not the pictures',
  params,
  reply: KycCheck,
  refusals: ['NO_DATA'],
});

export const requestKyc = operatorCall({
  method: 'POST',
  path: '/api/operator/members/{id}/kyc/request',
  permission: 'member.kyc',
  summary: 'Request pictures of documents from a member; a member who was verified is so no longer',
  params,
  body: Closed({ ...seen, documents: Documents, reason: Reason }),
  reply: KycCheck,
  refusals: ['NO_DATA', 'ROW_CHANGED'],
});

export const verifyKyc = operatorCall({
  method: 'POST',
  path: '/api/operator/members/{id}/kyc/verify',
  permission: 'member.kyc',
  summary:
    'Note that the identity of a member is proven, by the documents that came or by what the reason names',
  params,
  body: Closed({ ...seen, reason: Reason }),
  reply: KycCheck,
  refusals: ['NO_DATA', 'ROW_CHANGED'],
});

export const refuseKyc = operatorCall({
  method: 'POST',
  path: '/api/operator/members/{id}/kyc/refuse',
  permission: 'member.kyc',
  summary: 'Refuse documents that were submitted and request some again; the member reads why',
  params,
  body: Closed({ ...seen, documents: Documents, refusal: OneOf(KYC_REFUSALS) }),
  reply: KycCheck,
  refusals: ['NO_DATA', 'ROW_CHANGED'],
});
