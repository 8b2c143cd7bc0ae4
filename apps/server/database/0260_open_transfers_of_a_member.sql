-- Finds the transfers of a member that have not ended, for what the wallet shows as on its way
-- Takes as long as one scan of the transfers; they wait meanwhile.

create index provider_transfer_open_of on provider_transfer (member_id) where state in ('RESERVED', 'UNKNOWN');
