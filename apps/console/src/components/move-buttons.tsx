import { useText } from '@krapao/ui/text/text.tsx';
import { ActionIcon } from '@mantine/core';
import { ArrowDown, ArrowUp } from 'lucide';
import { Icon } from './icons.tsx';

interface MoveButtonsProps {
  /** The name of the moved row, for screen readers. */
  name: string;
  isFirst: boolean;
  isLast: boolean;
  /** −1 up, 1 down. */
  onMove: (by: number) => void;
}

/** Up and down by one place in an ordered list. */
export function MoveButtons({ name, isFirst, isLast, onMove }: MoveButtonsProps) {
  const { t } = useText();
  return (
    <>
      <ActionIcon
        variant="subtle"
        size="lg"
        disabled={isFirst}
        aria-label={t('content.moveUp', { name })}
        onClick={() => onMove(-1)}
      >
        <Icon of={ArrowUp} size={16} />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        size="lg"
        disabled={isLast}
        aria-label={t('content.moveDown', { name })}
        onClick={() => onMove(1)}
      >
        <Icon of={ArrowDown} size={16} />
      </ActionIcon>
    </>
  );
}

/** The order after one entry has moved by so many places. */
export function movedBy<T>(order: readonly T[], entry: T, by: number): T[] {
  const at = order.indexOf(entry);
  return order.toSpliced(at, 1).toSpliced(at + by, 0, entry);
}
