import { useText } from '@krapao/ui/text/text.tsx';
import { Box, NavLink } from '@mantine/core';
import { useSearchParams } from 'wouter';
import { ViewCount } from '../components/view-count.tsx';
import { labelOf } from '../platform/error-text.ts';
import { Link } from '../platform/paths.ts';
import { isShown, pathOf, useShortList } from '../platform/saved-views.ts';
import type { ConsolePage } from './pages.ts';

interface PageViewsProps {
  of: ConsolePage;
  /** The address that is open; one of the page's subjects shows none of its views. */
  path: string;
  onGo: () => void;
}

/** The operator's views of the page that is open, below its link in the side bar. */
export function PageViews({ of: page, path, onGo }: PageViewsProps) {
  const { t } = useText();
  const [search] = useSearchParams();
  const views = useShortList(page.path);
  if (views.length === 0) return null;
  return (
    <Box
      component="ul"
      aria-label={t('views.of', { page: labelOf(t, 'nav', page.id) })}
      m={0}
      mb={4}
      pl={30}
      style={{ listStyle: 'none' }}
    >
      {views.map((view) => {
        const isHere = path === page.path && isShown(view, search.toString());
        return (
          <li key={view.id}>
            <NavLink
              component={Link}
              href={pathOf(view)}
              active={isHere}
              aria-current={isHere ? 'true' : undefined}
              label={view.name}
              title={view.name}
              noWrap
              rightSection={<ViewCount of={view} />}
              onClick={onGo}
              py={3}
              style={{ borderRadius: 10, background: isHere ? 'var(--brand-soft)' : undefined }}
            />
          </li>
        );
      })}
    </Box>
  );
}
