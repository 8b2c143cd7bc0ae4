import type { Translate } from '@krapao/ui/text/text.tsx';

/** Who did something, by name; `cli` is whoever works on the server itself. */
export function actorText(t: Translate, actor: string): string {
  if (actor.startsWith('cli:')) return t('audit.cli');
  return actor === 'system' ? t('audit.system') : actor.replace(/^(operator|member):/, '');
}
