import type { MemberApi } from '@krapao/contract/member';
import { api } from '../../platform/api.ts';

export type ChatConfig = MemberApi['GET /api/chat/config']['reply'];

let requested: Promise<ChatConfig> | null = null;

/** What rooms are called and who is there; asked for once unless `isFresh`, and again after a failure. */
export function chatConfig(isFresh = false): Promise<ChatConfig> {
  if (!requested || isFresh) {
    const response = api('GET /api/chat/config');
    requested = response;
    response.catch(() => {
      if (requested === response) requested = null;
    });
  }
  return requested;
}
