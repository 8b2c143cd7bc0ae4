-- Returns every string in the operators' texts that may be the id of an upload: in published texts and drafts, in
-- stored revisions that can be restored, and in requests that wait for approval.
create or replace function upload_names() returns setof text language sql stable as $$
  select distinct m[1]
  from (
    select words::text as words from banner
    union all select video from howto_guide
    union all select body::text from content
    union all select words::text from content_draft
    union all select words::text from content_revision
    union all select banners::text || description::text from bonus
    union all select row::text from bonus_version
    union all select html::text from wheel_slice
    union all select background from slot
    union all select text from chat_canned
    union all select payload::text from approval where state = 'PENDING'
  ) w, regexp_matches(w.words, '[A-Za-z0-9_-]{20,40}', 'g') m
$$;

-- Notifies member apps that texts have changed.
create or replace trigger site_changed
  after insert or update on content for each statement
  execute function site_changed('words');
