/** Content that operators edit: texts in three languages, sources of discovery, banks for registration. */
import { Type } from 'typebox';
import { inEachLanguage, Localized } from '../shared/schemas.ts';
import { operatorCall } from './call.ts';
import { Closed, Done, Id, Nullable, OneOf, Reason, Text, Timestamp } from './schemas.ts';

/** The largest number that a revision's column holds. */
const REVISION_MAX = 2_147_483_647;

export const CONTENT_KEYS = [
  'news',
  'notice',
  'conditions',
  'agreements',
  'help',
  'contact',
  'info',
] as const;
const Key = OneOf(CONTENT_KEYS);
const params = Closed({ key: Key });

/** The fields of one key in one language; the other keys' fields are absent. */
const Fields = Closed({
  name: Type.Optional(Text(60)),
  website: Type.Optional(Text(200)),
  contactText: Type.Optional(Text(2_000)),
  lineName: Type.Optional(Text(60)),
  lineLink: Type.Optional(Text(300)),
  picture: Type.Optional(Nullable(Text(40))),
  notice: Type.Optional(Text(2_000)),
  parts: Type.Optional(Type.Array(Text(20_000), { maxItems: 40 })),
});
/** A content text in all languages: info has name and website, contact its texts and picture, news and notice one text, the rest parts. */
const Texts = Localized(Fields);

export const listContent = operatorCall({
  method: 'GET',
  path: '/api/operator/content',
  permission: 'content.read',
  summary: 'All content as members have it now, with what is drafted',
  reply: Closed({
    content: Type.Array(
      Closed({
        key: Key,
        revision: Type.Integer({ description: '0 when none was ever published.' }),
        publishedAt: Nullable(Timestamp),
        publishedBy: Nullable(Type.String()),
        words: Texts,
        draft: Nullable(
          Closed({ id: Type.String(), savedBy: Type.String(), savedAt: Timestamp, words: Texts }),
        ),
      }),
    ),
    pictures: Type.Array(
      Closed({ id: Type.String(), address: Type.String({ description: 'A data address.' }) }),
    ),
  }),
});

export const saveDraft = operatorCall({
  method: 'PUT',
  path: '/api/operator/content/{key}/draft',
  permission: 'content.manage',
  summary: 'Store a draft, its markup cleaned; members see it after it is published',
  params,
  body: Closed({
    words: Texts,
    after: Nullable(Text(40)),
  }),
  reply: Closed({ id: Type.String(), words: Texts }),
  refusals: ['INVALID_REQUEST', 'ROW_CHANGED'],
});

export const discardDraft = operatorCall({
  method: 'POST',
  path: '/api/operator/content/{key}/discard',
  permission: 'content.manage',
  summary: 'Throw a draft away',
  params,
  body: Closed({ draft: Text(40, 1) }),
  reply: Done,
  refusals: ['ROW_CHANGED'],
});

export const publishDraft = operatorCall({
  method: 'POST',
  path: '/api/operator/content/{key}/publish',
  permission: 'content.manage',
  summary: 'Show a draft to members as the next revision; agreements must then be accepted again',
  params,
  body: Closed({ draft: Text(40, 1), reason: Reason }),
  reply: Closed({ revision: Type.Integer() }),
  refusals: ['ROW_CHANGED'],
});

export const listRevisions = operatorCall({
  method: 'GET',
  path: '/api/operator/content/{key}/revisions',
  permission: 'content.read',
  summary: 'The last fifty revisions, newest first',
  params,
  reply: Closed({
    revisions: Type.Array(
      Closed({
        revision: Type.Integer(),
        publishedAt: Timestamp,
        publishedBy: Type.String(),
        reason: Nullable(Type.String()),
        reverts: Nullable(Type.Integer()),
        words: Texts,
      }),
    ),
  }),
});

export const revertContent = operatorCall({
  method: 'POST',
  path: '/api/operator/content/{key}/revert',
  permission: 'content.manage',
  summary: 'Bring an earlier revision back as a new one',
  params,
  body: Closed({
    revision: Type.Integer({ minimum: 1, maximum: REVISION_MAX }),
    now: Type.Integer({
      minimum: 1,
      maximum: REVISION_MAX,
      description: 'The published revision at the request.',
    }),
    reason: Reason,
  }),
  reply: Closed({ revision: Type.Integer() }),
  refusals: ['NO_DATA', 'ROW_CHANGED'],
});

export const addPicture = operatorCall({
  method: 'POST',
  path: '/api/operator/content-picture',
  permission: 'content.manage',
  summary: 'Keep a picture for content, drawn anew from what was sent: JPG, PNG or WebP in base64',
  body: Closed({ picture: Type.String({ minLength: 1, maxLength: 95_000, pattern: '^[A-Za-z0-9+/]+=*$' }) }),
  reply: Closed({ id: Type.String(), address: Type.String({ description: 'A data address.' }) }),
  refusals: ['IMAGE_UNPROCESSABLE'],
});

const Source = Closed({
  code: Type.String(),
  ...inEachLanguage(Type.String()),
  isOpen: Type.Boolean(),
});
const BankRow = Closed({
  code: Type.String(),
  local: Type.String({ description: 'The name in the language of the country.' }),
  en: Type.String(),
  color: Nullable(Type.String()),
  isOpen: Type.Boolean(),
});
const SourceCode = Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,29}$', maxLength: 30 });
const BankCode = Type.String({ pattern: '^[A-Z0-9]{2,12}$', maxLength: 12 });

export const listChoices = operatorCall({
  method: 'GET',
  path: '/api/operator/choices',
  permission: 'content.read',
  summary: 'Sources and banks of the registration form in their order, those switched off too',
  reply: Closed({ sources: Type.Array(Source), banks: Type.Array(BankRow) }),
});

/** What the caller has seen: null for a new one; absent: whatever it is. Another is refused. */
const seenAs = <Fields extends Parameters<typeof Closed>[0]>(fields: Fields) =>
  Type.Optional(Nullable(Closed(fields)));

const sourceFields = { ...inEachLanguage(Text(80, 1)), isOpen: Type.Boolean() };
/** A source with its code, as the command line adds it. */
export const NewSource = Closed({ code: SourceCode, ...sourceFields });

export const saveSource = operatorCall({
  method: 'PUT',
  path: '/api/operator/sources/{code}',
  permission: 'content.manage',
  summary: 'Add a source from which members know us, rename it, or switch it on or off',
  params: Closed({ code: SourceCode }),
  body: Closed({ ...sourceFields, reason: Reason, seen: seenAs(sourceFields) }),
  reply: Done,
  refusals: ['ROW_CHANGED'],
});

const bankFields = {
  local: Text(120, 1),
  en: Text(120, 1),
  color: Nullable(Type.String({ pattern: '^#[0-9a-fA-F]{6}$', maxLength: 7 })),
  isOpen: Type.Boolean(),
};

export const saveBank = operatorCall({
  method: 'PUT',
  path: '/api/operator/banks/{code}',
  permission: 'content.manage',
  summary: 'Add a bank members may register, name it anew, or switch it on or off',
  params: Closed({ code: BankCode }),
  body: Closed({ ...bankFields, reason: Reason, seen: seenAs(bankFields) }),
  reply: Done,
  refusals: ['ROW_CHANGED'],
});

const codes = Closed({ codes: Type.Array(Id, { maxItems: 200, uniqueItems: true }) });

export const orderSources = operatorCall({
  method: 'POST',
  path: '/api/operator/sources/order',
  permission: 'content.manage',
  summary: 'The order sources are offered in; names every one of them',
  body: codes,
  reply: Done,
  refusals: ['ROW_CHANGED'],
});

export const orderBanks = operatorCall({
  method: 'POST',
  path: '/api/operator/banks/order',
  permission: 'content.manage',
  summary: 'The order banks are offered in; names every one of them',
  body: codes,
  reply: Done,
  refusals: ['ROW_CHANGED'],
});
