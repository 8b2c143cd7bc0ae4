import type { MemberApi } from '@krapao/contract/member';
import { api } from '../../platform/api.ts';

export type ChatConfig = MemberApi['GET /api/chat/config']['reply'];

let asked: Promise<ChatConfig> | null = null;

/** What rooms are called and who is there; asked for once unless `isFresh`, and again after a failure. */
export function chatConfig(isFresh = false): Promise<ChatConfig> {
  if (!asked || isFresh) {
    const response = api('GET /api/chat/config');
    asked = response;
    response.catch(() => {
      if (asked === response) asked = null;
    });
  }
  return asked;
}
