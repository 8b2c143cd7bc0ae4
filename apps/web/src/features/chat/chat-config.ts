import type { MemberApi } from '@krapao/contract/member';
import { api } from '../../platform/api.ts';

export type ChatConfig = MemberApi['GET /api/chat/config']['reply'];

let requested: Promise<ChatConfig> | null = null;

/** The names of the rooms and the agents present; read once unless `isFresh`, and again after a failure. */
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
