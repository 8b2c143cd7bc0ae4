-- Deposits come by more ways than a QR: a bank's feed, a slip, a gift link, an operator's hand.
alter table deposit drop constraint deposit_channel_check;
alter table deposit add constraint deposit_channel_check check (channel in ('QR', 'AUTO', 'SLIP', 'GIFT', 'MANUAL'));
