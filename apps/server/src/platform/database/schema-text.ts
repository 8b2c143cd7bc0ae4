import pg from 'pg';

/** One statement a row, in the order they are printed; every query names its objects in schema `public`. */
const TYPES = `
  select format(E'create type %I as (\\n%s\\n);', c.relname,
    string_agg(format('  %I %s', a.attname, format_type(a.atttypid, a.atttypmod)), E',\\n' order by a.attnum)) as text
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'c'
  group by c.relname order by c.relname`;

const SEQUENCES = `
  select format('create sequence %I as %s;', c.relname, format_type(s.seqtypid, null)) as text
  from pg_class c join pg_sequence s on s.seqrelid = c.oid
  where c.relnamespace = 'public'::regnamespace
    and not exists (select from pg_depend d where d.objid = c.oid and d.deptype in ('a', 'i'))
  order by c.relname`;

const TABLES = `
  select format(E'create table %I (\\n%s\\n)%s;', c.relname,
      concat_ws(E',\\n', columns.text, constraints.text),
      case when c.reloptions is null then '' else format(' with (%s)', array_to_string(c.reloptions, ', ')) end)
    || coalesce(E'\\n' || indexes.text, '') || coalesce(E'\\n' || triggers.text, '') || coalesce(E'\\n' || grants.text, '') as text
  from pg_class c
  cross join lateral (
    select string_agg(format('  %I %s', a.attname, format_type(a.atttypid, a.atttypmod))
      || case when a.attnotnull then ' not null' else '' end
      || case when a.attidentity <> '' then ' generated always as identity'
              when d.oid is not null then ' default ' || pg_get_expr(d.adbin, d.adrelid) else '' end,
      E',\\n' order by a.attname) as text
    from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) columns
  cross join lateral (
    select string_agg(format('  constraint %I %s', o.conname, pg_get_constraintdef(o.oid)), E',\\n' order by o.conname) as text
    from pg_constraint o where o.conrelid = c.oid and o.contype in ('p', 'u', 'f', 'c')) constraints
  cross join lateral (
    select string_agg(pg_get_indexdef(i.indexrelid) || ';', E'\\n' order by i.indexrelid::regclass::text) as text
    from pg_index i where i.indrelid = c.oid and not exists (select from pg_constraint o where o.conindid = i.indexrelid and o.contype in ('p', 'u'))) indexes
  cross join lateral (
    select string_agg(pg_get_triggerdef(t.oid) || ';', E'\\n' order by t.tgname) as text
    from pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal) triggers
  cross join lateral (
    select string_agg(format('grant %s on %I to %I;', g.rights, c.relname, g.grantee), E'\\n' order by g.grantee) as text from (
      select r.rolname as grantee, string_agg(right_of.text, ', ' order by right_of.text) as rights
      from (
        select x.grantee, lower(x.privilege_type) as text from aclexplode(c.relacl) x where x.grantee <> c.relowner
        union all
        select x.grantee, format('%s (%s)', lower(x.privilege_type), string_agg(quote_ident(a.attname), ', ' order by a.attname))
        from pg_attribute a cross join lateral aclexplode(a.attacl) x
        where a.attrelid = c.oid group by x.grantee, x.privilege_type
      ) right_of join pg_roles r on r.oid = right_of.grantee
      group by r.rolname) g) grants
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname not like 'kysely%'
  order by c.relname`;

/** Signatures only: a routine's text is in its feature's sql folder. */
const ROUTINES = `
  select format('-- function %I(%s) returns %s, %s%s%s', p.proname, pg_get_function_identity_arguments(p.oid),
    pg_get_function_result(p.oid), case p.provolatile when 'i' then 'immutable' when 's' then 'stable' else 'volatile' end,
    case when p.prosecdef then ', security definer' else '' end,
    case when p.proacl is null then '' else ', executable by ' || (
      select string_agg(r.rolname, ', ' order by r.rolname) from aclexplode(p.proacl) x join pg_roles r on r.oid = x.grantee) end) as text
  from pg_proc p where p.pronamespace = 'public'::regnamespace
    and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
  order by p.proname, 1`;

/**
 * Describes the tables, types, sequences, indexes, triggers and grants of schema `public` as SQL, and lists its
 * routines by signature. Columns and constraints stand in the order of their names, so two databases that came about in
 * different ways compare equal when they hold the same.
 */
export async function schemaText(owner: pg.ClientConfig): Promise<string> {
  const client = new pg.Client(owner);
  await client.connect();
  try {
    const parts: string[] = [];
    for (const query of [TYPES, SEQUENCES, TABLES, ROUTINES]) {
      const { rows } = await client.query<{ text: string }>(query);
      parts.push(rows.map(({ text }) => text).join(query === ROUTINES ? '\n' : '\n\n'));
    }
    return `${parts.join('\n\n')}\n`;
  } finally {
    await client.end();
  }
}
