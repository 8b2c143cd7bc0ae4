import { ChevronLeft, ChevronRight } from 'lucide';
import { useText } from '../text/text.tsx';
import { Icon } from './icon.tsx';
import styles from './pager.module.css';
import { pagesAround } from './pages-around.ts';

interface PagerProps {
  page: number;
  pageCount: number;
  onGo: (page: number) => void;
}

/** Pages by number with a step back and forth; hidden while there is only one. */
export function Pager({ page, pageCount, onGo }: PagerProps) {
  const { t } = useText();
  if (pageCount <= 1) return null;
  return (
    <nav className={styles.pager} aria-label={t('pager.label')}>
      <button
        type="button"
        disabled={page <= 1}
        aria-label={t('pager.previous')}
        onClick={() => onGo(page - 1)}
      >
        <Icon of={ChevronLeft} size={20} />
      </button>
      {pagesAround(page, pageCount).map((number) => (
        <button
          key={number}
          type="button"
          aria-current={number === page ? 'page' : undefined}
          aria-label={t('pager.page', { page: number })}
          onClick={() => onGo(number)}
        >
          {number}
        </button>
      ))}
      <button
        type="button"
        disabled={page >= pageCount}
        aria-label={t('pager.next')}
        onClick={() => onGo(page + 1)}
      >
        <Icon of={ChevronRight} size={20} />
      </button>
    </nav>
  );
}
