-- Unmatched bank transactions can be the money of a booking that was made before

create type operator_booked_transaction_row as (
  action operator_action_row, bank_transaction_id bigint, kind text, booking_id text
);
