import type { Reply } from '../../platform/api.ts';

export type GamesReply = Reply<'GET /api/operator/games'>;
export type Game = GamesReply['games'][number];
export type Provider = GamesReply['providers'][number];
