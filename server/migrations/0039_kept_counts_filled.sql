-- no-transaction
-- Fills what 0038_kept_counts keeps for the rows from before, a few thousand rows a transaction. A row that changes meanwhile is
-- filled by the triggers and is not touched here. One statement, because only such a one may commit on its way.
do $$
declare
  rows_at_once constant integer := 5000;
  nil constant uuid := '00000000-0000-0000-0000-000000000000';
  last record;
begin
  -- The channel of each waiting step. Built-in cascades are not in the database.
  select nil as tenant_id, nil as id into last;
  loop
    with batch as (
      select tenant_id, invoice_id from recoveries where (tenant_id, invoice_id) > (last.tenant_id, last.id)
       order by tenant_id, invoice_id limit rows_at_once),
    filled as (
      update recoveries r
         set due_channel = coalesce(
               (select b.channels[r.step + 1] from (values
                 ('fr_b2b_standard', '{email,email,sms,email,voice,email,lrar,voice,email,null}'::text[]),
                 ('fr_b2b_fast', '{email,email,voice,lrar,voice,null}'), ('fr_b2b_small', '{email,email,sms,email,email,null}'),
                 ('fr_consumer', '{email,email,sms,email,lrar,email,null}'), ('fr_public_body', '{email,email,email,lrar,null}')
                ) b(name, channels) where b.name = r.cascade and r.cascade_version = 1),
               (select c.steps -> r.step ->> 'channel' from cascades c
                 where c.tenant_id = r.tenant_id and c.name = r.cascade and c.version = r.cascade_version))
        from batch b
       where r.tenant_id = b.tenant_id and r.invoice_id = b.invoice_id and r.status = 'in_recovery' and r.due_at is not null
         and r.due_channel is null)
    select tenant_id, invoice_id as id into last from batch order by tenant_id desc, invoice_id desc limit 1;
    exit when not found;
    commit;
  end loop;
  -- Where each invoice stands. Its trigger counts it by its due day and debtor.
  select nil as tenant_id, nil as id into last;
  loop
    with batch as (
      select tenant_id, id from invoices where (tenant_id, id) > (last.tenant_id, last.id) order by tenant_id, id limit rows_at_once),
    filled as (
      update invoices i set standing = standing_of(r.status, r.holds, r.due_at is not null)
        from batch b join recoveries r on r.tenant_id = b.tenant_id and r.invoice_id = b.id
       where i.tenant_id = b.tenant_id and i.id = b.id and i.standing is null)
    select tenant_id, id into last from batch order by tenant_id desc, id desc limit 1;
    exit when not found;
    commit;
  end loop;
  -- The quarter hour of each debtor's next contact.
  select nil as tenant_id, nil as id into last;
  loop
    with batch as (
      select tenant_id, debtor_id from agendas where (tenant_id, debtor_id) > (last.tenant_id, last.id)
       order by tenant_id, debtor_id limit rows_at_once),
    filled as (
      update agendas a set wake_slot = slot_of(next.due_at), wake_channel = next.channel
        from batch b
        cross join lateral (
          select due_at, channel from (
            (select r.due_at, r.due_channel as channel from recoveries r
              where r.tenant_id = b.tenant_id and r.debtor_id = b.debtor_id and r.ended_at is null and r.due_at is not null
                and r.communication_id is null order by 1 limit 1)
            union all
            (select e.due_at, e.channel from extra_messages e
              where e.tenant_id = b.tenant_id and e.debtor_id = b.debtor_id and e.due_at is not null and e.communication_id is null
              order by 1 limit 1)) waiting
           order by due_at limit 1) next
       where a.tenant_id = b.tenant_id and a.debtor_id = b.debtor_id and a.wake_at is not null and a.wake_channel is null
         and a.wake_because is distinct from 'message_on_its_way')
    select tenant_id, debtor_id as id into last from batch order by tenant_id desc, debtor_id desc limit 1;
    exit when not found;
    commit;
  end loop;
end $$;
