-- Barred invite shares whose deposit was reversed before a reversal ended them too
update invite_credit set state = 'REVERSED', reason = null where state = 'BARRED' and reversed_at is not null;
