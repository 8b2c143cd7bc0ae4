-- Transfers of a member that failed or have no known outcome, whose alerts the timeline shows
create index provider_transfer_unclear on provider_transfer (member_id) where state in ('UNKNOWN', 'FAILED');
