import { Table, UnstyledButton } from '@mantine/core';
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide';
import { useAddress } from '../platform/address.ts';
import type { Column } from './column.ts';
import styles from './data-table.module.css';
import { Icon } from './icons.tsx';

const SHORT_HEAD_LENGTH = 9;

/** A heading; where the server sorts by the column it is a button, and the order is in the address. */
export function Head<Row>({ column, order }: { column: Column<Row>; order: string | undefined }) {
  const address = useAddress();
  const right = column.isRight ? 'right' : undefined;
  // One word of Thai or Lao would be broken inside.
  const whiteSpace =
    typeof column.head === 'string' && column.head.length <= SHORT_HEAD_LENGTH ? 'nowrap' : undefined;
  if (!column.sort)
    return (
      <Table.Th ta={right} style={{ whiteSpace }}>
        {column.head}
      </Table.Th>
    );
  const now = address.get('sort') || order;
  const way = now === column.sort ? 'ascending' : now === `-${column.sort}` ? 'descending' : 'none';
  const next = way === 'ascending' ? `-${column.sort}` : column.sort;
  const icon = { ascending: ArrowUp, descending: ArrowDown, none: ChevronsUpDown }[way];
  return (
    <Table.Th ta={right} aria-sort={way}>
      <UnstyledButton className={styles.sort} data-sorted={way} onClick={() => address.set({ sort: next })}>
        {column.head}
        <Icon of={icon} size={14} />
      </UnstyledButton>
    </Table.Th>
  );
}
