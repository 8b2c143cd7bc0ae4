import { Paper, Stack } from '@mantine/core';
import type { CSSProperties, ReactNode } from 'react';
import styles from './side-panel.module.css';

/** What is open, beside its list; it scrolls by itself, and where there is little room it lies over the list. */
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
      style={{ '--panel-width': `${width}px` } as CSSProperties}
    >
      <Stack gap="md">{children}</Stack>
    </Paper>
  );
}
