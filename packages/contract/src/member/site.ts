/** What operators put on members' screens beside the lookups: news, banners, how-to guides, and where help is to be had. */
import { Type } from 'typebox';
import { call } from '../shared/call.ts';
import { Closed, Nullable } from './schemas.ts';

const Banner = Closed(
  {
    id: Type.String(),
    title: Type.String({ description: 'What the picture says, as text.' }),
    image: Type.String({ description: 'Path of the picture on this server; empty when there is only text.' }),
    html: Type.String({ description: 'Cleaned HTML; may be empty.' }),
    link: Type.String({ description: 'An https address, a path of the member app, or empty.' }),
  },
  { $id: 'Banner' },
);
const banners = Type.Array(Banner);

export const homeBanners = call({
  method: 'GET',
  path: '/api/home/banners',
  access: 'member',
  summary: 'The content of the home screen: a news text as cleaned HTML, and banners in their order',
  reply: Closed({ news: Type.String(), banners }),
});
export const inviteBanners = call({
  method: 'GET',
  path: '/api/invite/banners',
  access: 'member',
  summary: 'Banners shown before the invite sheet',
  reply: Closed({ banners }),
});
export const refundBanners = call({
  method: 'GET',
  path: '/api/refund/banners',
  access: 'member',
  summary: 'Banners shown before the refund sheet',
  reply: Closed({ banners }),
});

export const listGuides = call({
  method: 'GET',
  path: '/api/howto',
  access: 'public',
  summary: 'The how-to guides in their order, without those switched off',
  reply: Closed({
    guides: Type.Array(
      Closed({
        name: Type.String(),
        title: Nullable(Type.String({ description: 'null: the one that comes with the app.' })),
        video: Nullable(
          Closed({
            path: Type.String({ description: 'On this server.' }),
            type: Type.String(),
          }),
        ),
      }),
    ),
  }),
});

export const help = call({
  method: 'GET',
  path: '/api/help',
  access: 'public',
  summary: 'Where members find help with problem gambling, as HTML',
  reply: Closed({ help: Type.Array(Type.String()) }),
});
