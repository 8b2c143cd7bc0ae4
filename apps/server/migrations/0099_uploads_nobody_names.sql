-- What operators uploaded and no words name is forgotten a day after the last place let go of it.

-- Since when it was seen to be named nowhere; null: named, or not yet looked at.
alter table content_file add column unused_since timestamptz;
alter table content_picture add column unused_since timestamptz;

-- Everything in the words of operators that could be the id of an upload: shown, drafted, waiting for a checker, or
-- kept to be brought back.
create function upload_names() returns setof text language sql stable as $$
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

grant update (unused_since), delete on content_file, content_picture to krapao_app;
grant delete on content_file_part to krapao_app;
