import { Paper, Stack } from '@mantine/core';
import type { CSSProperties, ReactNode } from 'react';
import styles from './side-panel.module.css';

/** A panel wider than this leaves the list too little of a laptop's screen. */
const ROOMY = 420;

/** What is open, beside its list; it scrolls separately, and covers the list on narrow screens. */
export function SidePanel({
  name,
  width = 380,
  children,
}: {
  name: string;
  width?: number;
  children: ReactNode;
}) {
  return (
    <Paper
      component="aside"
      withBorder
      p="md"
      aria-label={name}
      className={styles.panel}
      data-wide={width > ROOMY}
      style={{ '--panel-width': `${width}px` } as CSSProperties}
    >
      <Stack gap="md">{children}</Stack>
    </Paper>
  );
}
