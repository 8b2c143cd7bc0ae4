-- Rounds settings up that are counts and have a fraction, which the command line accepted: what read them failed

update setting
  set value = to_jsonb(ceil(value::numeric))
  where jsonb_typeof(value) = 'number' and value::numeric <> trunc(value::numeric);
