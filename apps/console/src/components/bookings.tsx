import { dateTimeText } from '@krapao/ui/text/date-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import type { Reply } from '../platform/api.ts';
import type { DialogField } from './action-dialog.tsx';

export type Booking = Reply<'GET /api/operator/unmatched/{id}/bookings'>['bookings'][number];

interface BookingsProps {
  of: readonly Booking[];
  /** Offers that the transaction is the money of a booking; a deposit has a transaction of its own. */
  onTie?: (booking: Booking) => void;
}

/** Warns that the money of a bank transaction may already be booked, and as what; nothing where it is not. */
export function Bookings({ of: bookings, onTie }: BookingsProps) {
  const { t } = useText();
  if (bookings.length === 0) return null;
  return (
    <Alert color="yellow" role="alert">
      <Stack gap={6}>
        <Text fw={700} size="sm">
          {t('bookings.title')}
        </Text>
        {bookings.map((booking) => (
          <Group key={`${booking.kind} ${booking.id}`} justify="space-between" wrap="nowrap" gap="sm">
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {`${dateTimeText(booking.at)} · ${t(`bookings.${booking.kind}`, { id: booking.id })}`}
            </Text>
            {onTie && booking.kind !== 'deposit' && (
              <Button size="compact-sm" variant="default" flex="none" onClick={() => onTie(booking)}>
                {t('bookings.same')}
              </Button>
            )}
          </Group>
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
