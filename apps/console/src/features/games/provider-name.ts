import { useText } from '@krapao/ui/text/text.tsx';
import { labelOf } from '../../platform/error-text.ts';
import type { Provider } from './types.ts';

/** Returns what names a provider by its code: in the reader's language, else its Thai name, else the standard one. */
export function useProviderName(providers: readonly Provider[]): (code: string) => string {
  const { t, language } = useText();
  return (code) => {
    const names = providers.find((provider) => provider.code === code)?.names;
    return names?.[language] || names?.th || labelOf(t, 'provider', code);
  };
}
