import type { Reply } from '../../platform/api.ts';

export type Banner = Reply<'GET /api/operator/banners'>['banners'][number];
export type Place = Banner['place'];

/** The address of a picture on the console's own origin. */
export const pictureAt = (id: string): string => `/media/${id}.jpg`;
