import type { Translate } from '@krapao/ui/text/text.tsx';

/** The name of an actor; `cli` is a person who works on the server itself. */
export function actorText(t: Translate, actor: string): string {
  if (actor.startsWith('cli:')) return t('audit.cli');
  const [, key, name] = /^key:(\S+) of (\S+)$/.exec(actor) ?? [];
  if (key && name) return t('audit.key', { key, name });
  return actor === 'system' ? t('audit.system') : actor.replace(/^(operator|member):/, '');
}
