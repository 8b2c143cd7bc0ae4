-- Records when the bank first stated that it had accepted a payout; a later unclear response does not undo it

alter table payout add column accepted_at timestamptz;
update payout set accepted_at = touched_at where state = 'ACCEPTED';
