-- What a member's slip, reading or withdrawal reads does not grow with their own history

create index provider_transfer_turn on provider_transfer (member_id, slot_code, ended_turn)
  where ended_turn is not null;
create index withdrawal_failed_of on withdrawal (member_id, created_at) where status = 'FAILED';
-- Beside deposit_transfer, which has the deposits that were not reversed.
create index deposit_reversed_transfer on deposit (bank_code, bank_reference) where reversal_id is not null;
