-- A slip is booked, compared and found under the reference that the bank told of its transfer (trans_ref, once told);
-- what stood on the slip itself stays for judging it again. Null: nothing was told yet.
alter table slip add column printed_ref text;
