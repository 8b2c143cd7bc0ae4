-- Keeps the order of payment reports of several states, and finds bank transactions that are not credited
-- Takes as long as one scan of both tables; they wait meanwhile.

create index payment_report_made on payment_report (created_at, id);
create index payment_report_by_amount on payment_report (amount, id);
create index bank_transaction_uncredited on bank_transaction (id) where state <> 'CREDITED';
