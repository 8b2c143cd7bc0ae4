/** The member's side of the identity check. */
import { Type } from 'typebox';
import { call } from '../shared/call.ts';
import { KYC_DOCUMENTS, KYC_MEGABYTES_MAX, KYC_REFUSALS, KYC_STATES } from '../shared/kyc.ts';
import { OneOf } from '../shared/schemas.ts';
import { Closed, Nullable } from './schemas.ts';

const Kyc = Closed(
  {
    state: Nullable(OneOf(KYC_STATES)),
    wanted: Type.Array(OneOf(KYC_DOCUMENTS), { description: 'What is to be sent, in this order.' }),
    received: Type.Array(OneOf(KYC_DOCUMENTS), { description: 'What of it has come.' }),
    refusal: Nullable(OneOf(KYC_REFUSALS)),
  },
  { $id: 'Kyc' },
);

export const readKyc = call({
  method: 'GET',
  path: '/api/account/kyc',
  access: 'member',
  summary:
    'How far the identity check of the member is; without one the state is null, and something is wanted where members may begin it',
  reply: Kyc,
});

/**
 * Receives one picture of what is wanted; without a request it begins the check. A picture of a document that has come
 * replaces it. With the last one the state becomes SUBMITTED, and no more is taken: NO_DATA.
 */
export const sendKycDocument = call({
  method: 'POST',
  path: '/api/account/kyc/documents',
  access: 'member',
  summary: 'Send the picture of a document that is wanted',
  multipart: {
    file: { description: `JPG, PNG or WebP, at most ${KYC_MEGABYTES_MAX} MB.`, isFile: true },
    kind: { description: KYC_DOCUMENTS.join(', ') },
  },
  reply: Kyc,
  refusals: ['NO_DATA', 'SLIP_INVALID_FILE', 'REQUEST_LIMIT'],
});
