-- Makes counts, shares and kip of settings whole, which the command line took with a fraction and readers failed on
-- Times and multiples go up, so that they ask no less; all others go down, so that they pay no more.

update setting s
  set value = n.value
  from (
    select key, case
        when jsonb_typeof(value) = 'object' and jsonb_typeof(value -> 'LAK') = 'number'
          then jsonb_set(value, '{LAK}', to_jsonb(trunc((value ->> 'LAK')::numeric)))
        when jsonb_typeof(value) <> 'number' then value
        when value::numeric = trunc(value::numeric) then value
        when key ~* '(times|seconds|minutes|hours|days)$' then to_jsonb(ceil(value::numeric))
        else to_jsonb(greatest(trunc(value::numeric), 1))
      end as value
    from setting
  ) n
  where n.key = s.key and n.value <> s.value;
