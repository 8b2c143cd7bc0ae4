/** Pictures and films that operators upload, the banners and how-to guides that show them. */
import { Type } from 'typebox';
import { Localized } from '../shared/schemas.ts';
import { operatorCall } from './call.ts';
import { Closed, Done, Id, Moment, Nullable, OneOf, Reason, Text, Timestamp } from './schemas.ts';

export const BANNER_PLACES = ['home', 'invite', 'refund'] as const;
const Place = OneOf(BANNER_PLACES);
/** SHOWN now, WAITS for its start, OVER, or switched OFF. */
const BannerState = OneOf(['SHOWN', 'WAITS', 'OVER', 'OFF'] as const);

const InLanguage = Closed({
  title: Text(80, 1),
  html: Text(4_000),
  picture: Nullable(Text(40)),
});
const Texts = Localized(InLanguage);

/** The fields of a banner that operators set. */
const banner = {
  words: Texts,
  link: Text(300),
  isOpen: Type.Boolean(),
  /** Null: no bound. */
  startsAt: Nullable(Moment),
  endsAt: Nullable(Moment),
};

export const addFile = operatorCall({
  method: 'POST',
  path: '/api/operator/content-file',
  permission: 'content.manage',
  summary: 'Store a picture (re-encoded) or a film (MP4, WebM; detected by its content) to show to members',
  multipart: {
    file: { isFile: true, description: 'JPG, PNG or WebP up to 10 MB; MP4 or WebM up to 20 MB.' },
  },
  reply: Closed({ id: Type.String(), path: Type.String(), type: Type.String() }),
  refusals: ['SLIP_NO_FILE', 'SLIP_INVALID_FILE', 'REQUEST_LIMIT'],
});

export const listBanners = operatorCall({
  method: 'GET',
  path: '/api/operator/banners',
  permission: 'content.read',
  summary: 'Every banner by its place, in the order members see',
  reply: Closed({
    banners: Type.Array(
      Closed(
        {
          id: Type.String(),
          place: Place,
          ...banner,
          state: BannerState,
          version: Type.Integer(),
          changedBy: Type.String(),
          changedAt: Timestamp,
        },
        { $id: 'BannerRow' },
      ),
    ),
  }),
});

export const addBanner = operatorCall({
  method: 'POST',
  path: '/api/operator/banners',
  permission: 'content.manage',
  summary: 'Put up a banner, at the end of its place; members in sight of it see it at once',
  body: Closed({ place: Place, ...banner, reason: Reason }),
  reply: Closed({ id: Type.String() }),
  refusals: ['INVALID_REQUEST'],
});

export const changeBanner = operatorCall({
  method: 'PUT',
  path: '/api/operator/banners/{id}',
  permission: 'content.manage',
  summary: 'Change a banner, or take it down',
  params: Closed({ id: Id }),
  body: Closed({ ...banner, version: Type.Integer(), reason: Reason }),
  reply: Done,
  refusals: ['NO_DATA', 'INVALID_REQUEST', 'ROW_CHANGED'],
});

export const orderBanners = operatorCall({
  method: 'POST',
  path: '/api/operator/banner-order',
  permission: 'content.manage',
  summary: 'The order banners of a place are shown in; names every one of them',
  body: Closed({ place: Place, ids: Type.Array(Id, { maxItems: 500, uniqueItems: true }) }),
  reply: Done,
  refusals: ['ROW_CHANGED'],
});

const Titles = Localized(Text(80));

export const listGuides = operatorCall({
  method: 'GET',
  path: '/api/operator/guides',
  permission: 'content.read',
  summary: 'The how-to guides in the order visitors see, those switched off too',
  reply: Closed({
    guides: Type.Array(
      Closed(
        {
          name: Type.String(),
          titles: Titles,
          video: Nullable(Closed({ id: Type.String(), path: Type.String(), type: Type.String() })),
          isOpen: Type.Boolean(),
          version: Type.Integer(),
        },
        { $id: 'GuideRow' },
      ),
    ),
  }),
});

export const changeGuide = operatorCall({
  method: 'PUT',
  path: '/api/operator/guides/{name}',
  permission: 'content.manage',
  summary:
    'Give a guide another title or film, or switch it on or off; empty and null bring the own ones back',
  params: Closed({ name: Id }),
  body: Closed({
    titles: Titles,
    video: Nullable(Text(40)),
    isOpen: Type.Boolean(),
    version: Type.Integer(),
    reason: Reason,
  }),
  reply: Done,
  refusals: ['NO_DATA', 'INVALID_REQUEST', 'ROW_CHANGED'],
});

export const orderGuides = operatorCall({
  method: 'POST',
  path: '/api/operator/guide-order',
  permission: 'content.manage',
  summary: 'The order guides are shown in; names every one of them',
  body: Closed({ names: Type.Array(Id, { maxItems: 20, uniqueItems: true }) }),
  reply: Done,
  refusals: ['ROW_CHANGED'],
});
