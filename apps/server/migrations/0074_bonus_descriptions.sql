-- What a bonus or promotion tells about itself in full: {"th", "la", "en"}, html.
alter table bonus add column description jsonb not null default '{"th": "", "la": "", "en": ""}'
  check (jsonb_typeof(description) = 'object');
