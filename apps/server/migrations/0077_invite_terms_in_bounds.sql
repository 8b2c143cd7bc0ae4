-- Whatever a setting says, a deposit is credited: numbers beyond what an invite can mean are taken for the nearest that it can.

create or replace function invite_terms(_currency text, out is_open boolean, out percent integer, out most numeric, out times integer,
  out bar_device boolean, out bar_address boolean) language sql stable as $$
  select setting_value('invite.active', 'true')::boolean, least(setting_value('invite.percent', '5')::numeric, 100)::integer,
    least((setting_value('invite.most', '{"BAHT": 500, "LAK": 350000}') ->> _currency)::numeric, 1e12),
    least(setting_value('invite.betTimes', '3')::numeric, 1000)::integer,
    setting_value('invite.barDevice', 'true')::boolean, setting_value('invite.barAddress', 'true')::boolean
$$;
