import { dateTimeText } from '@krapao/ui/text/date-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { Alert, Stack, Text } from '@mantine/core';
import type { Reply } from '../platform/api.ts';
import type { DialogField } from './action-dialog.tsx';

type Booking = Reply<'GET /api/operator/unmatched/{id}/bookings'>['bookings'][number];

/** Warns that the money of a bank transaction may already be booked, and as what; nothing where it is not. */
export function Bookings({ of: bookings }: { of: readonly Booking[] }) {
  const { t } = useText();
  if (bookings.length === 0) return null;
  return (
    <Alert color="yellow" role="alert">
      <Stack gap={4}>
        <Text fw={700} size="sm">
          {t('bookings.title')}
        </Text>
        {bookings.map(({ kind, id, at }) => (
          <Text key={`${kind} ${id}`} size="sm" style={{ overflowWrap: 'anywhere' }}>
            {`${dateTimeText(at)} · ${t(`bookings.${kind}`, { id })}`}
          </Text>
        ))}
        <Text size="sm">{t('bookings.note')}</Text>
      </Stack>
    </Alert>
  );
}

/** The warning at its place among the fields of a dialog. */
export const bookingsField = (draw: NonNullable<DialogField['draw']>): DialogField => ({
  name: 'bookings',
  label: '',
  draw,
});
