import type { Language } from '@krapao/contract/shared';
import type { Messages } from '@krapao/ui/text/i18n.ts';

export type MessagePart = 'first' | 'rest';

type Loader = () => Promise<{ default: Messages }>;

const LOADERS: Record<Language, Record<MessagePart, Loader>> = {
  th: { first: () => import('virtual:messages/th/first'), rest: () => import('virtual:messages/th/rest') },
  la: { first: () => import('virtual:messages/la/first'), rest: () => import('virtual:messages/la/rest') },
  en: { first: () => import('virtual:messages/en/first'), rest: () => import('virtual:messages/en/rest') },
};

/** One part of one language; each is a file of its own, loaded when it is needed. */
export const loadMessages = async (language: Language, part: MessagePart): Promise<Messages> =>
  (await LOADERS[language][part]()).default;
