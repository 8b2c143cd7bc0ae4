-- Everything in the words of operators that could be the id of an upload: shown, drafted, waiting for a checker, or
-- kept to be brought back.
create or replace function upload_names() returns setof text language sql stable as $$
  select distinct m[1] from (
    select words::text as words from banner
    union all select video from howto_guide
    union all select body::text from content
    union all select words::text from content_draft
    union all select words::text from content_revision
    union all select banners::text || description::text from bonus
    union all select row::text from bonus_version
    union all select html::text from wheel_slice
    union all select text from chat_canned
    union all select payload::text from approval where state = 'PENDING'
  ) w, regexp_matches(w.words, '[A-Za-z0-9_-]{20,40}', 'g') m
$$;

create or replace trigger site_changed
  after insert or update on content for each statement
  execute function site_changed('words');
