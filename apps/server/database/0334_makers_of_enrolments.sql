-- Records who made an operator's unused enrolment, so that their suspension ends it; null: the command line

alter table operator add column enrolment_maker_id bigint references operator(id);

update operator o
  set enrolment_maker_id = coalesce(
    (select a.maker_id from approval a
      where a.subject = 'operator:' || o.name and a.action in ('operator.create', 'operator.reset')
        and decode(a.payload ->> 'tokenHash', 'base64') = o.enrolment_hash
      limit 1),
    (select m.id from (
        select l.actor from audit l
        where l.subject = 'operator:' || o.name and l.action in ('operator.create', 'operator.reset')
        order by l.id desc limit 1) newest
      join operator m on newest.actor = 'operator:' || m.name))
  where o.enrolment_hash is not null;
create index operator_enrolment_maker on operator (enrolment_maker_id) where enrolment_maker_id is not null;
