import { ErrorState } from '@krapao/ui/components/load-state.tsx';
import layout from '@krapao/ui/style/layout.module.css';
import { useText } from '@krapao/ui/text/text.tsx';
import { errorText } from '../../platform/error-text.ts';

/** Shown in place of a field whose list did not load: its name, the error, and a retry. */
export function ListFailed({
  label,
  error,
  onRetry,
}: {
  label: string;
  error: unknown;
  onRetry: () => void;
}) {
  const { t } = useText();
  return (
    <div>
      <p className={layout.label}>{label}</p>
      <ErrorState text={errorText(t, error)} onRetry={onRetry} />
    </div>
  );
}
