-- These functions were planned again at each call: the first and the last of them by every create and every message.

-- A function in SQL that cannot be put into its caller (`convert_to` is only stable) is parsed and planned by each statement that calls it.
create or replace function contact_points(p_tenant uuid, p_debtor uuid, p_email_key text, p_phone text) returns bytea[]
language plpgsql immutable parallel safe as $$
begin
  return array_remove(array[
    sha256(convert_to(p_tenant || ' debtor ' || p_debtor, 'UTF8')),
    sha256(convert_to(p_tenant || ' email ' || p_email_key, 'UTF8')),
    sha256(convert_to(p_tenant || ' phone ' || p_phone, 'UTF8'))], null);
end $$;

-- The same, for texts of whom is erased: it reads no table, but has a `from`, and that cannot be put into a caller either.
create or replace function mentions(p_text text, p_needles text[], p_digits text[]) returns boolean
language plpgsql immutable parallel safe as $$
begin
  return (
    select exists (select from unnest(p_needles) needle where strpos(t.small, needle) > 0)
        or exists (select from unnest(p_digits) number where strpos(t.digits, number) > 0)
      from (select lower(p_text) as small, regexp_replace(p_text, '[^0-9]', '', 'g') as digits offset 0) t);
end $$;

-- As in 0011, but for the sum: a list of unknown length was taken for a long one, and PostgreSQL planned for the very list each time. One
-- person after the other is one plan, by the primary key. There is one for each key of the keyring, so one or two.
create or replace function count_send(p_tenant uuid, p_day date, p_channel text, p_allowed integer, p_part integer, p_persons bytea[],
  p_keys integer, p_person_day integer, p_person_month integer) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  mine integer;
  share integer;
  is_counted boolean := false;
  digest bytea;
  counted record;
  today bigint;
  month bigint;
begin
  for i in 0..7 loop
    mine := (p_part + i) % 8;
    share := p_allowed / 8 + case when mine < p_allowed % 8 then 1 else 0 end;
    continue when share = 0;
    -- A part that is full is not locked, so it is safe to look at several.
    update daily_sends set sent = sent + 1
     where tenant_id = p_tenant and day = p_day and channel = p_channel and part = mine and sent < share;
    is_counted := found;
    exit when is_counted;
    insert into daily_sends values (p_tenant, p_day, p_channel, mine, 1) on conflict do nothing;
    is_counted := found;
    exit when is_counted;
    update daily_sends set sent = sent + 1
     where tenant_id = p_tenant and day = p_day and channel = p_channel and part = mine and sent < share;
    is_counted := found;
    exit when is_counted;
  end loop;
  if not is_counted then raise exception 'daily limit' using errcode = 'RL010'; end if;
  for i in 1..coalesce(cardinality(p_persons), 0) / p_keys loop
    insert into person_days as d values (p_persons[(i - 1) * p_keys + 1], p_day, 1)
    on conflict (person, day) do update set contacts = d.contacts + 1;
    today := 0;
    month := 0;
    foreach digest in array p_persons[(i - 1) * p_keys + 1 : i * p_keys] loop
      select coalesce(sum(contacts) filter (where day = p_day), 0) as today, coalesce(sum(contacts), 0) as month into counted
        from person_days where person = digest and day > p_day - 30;
      today := today + counted.today;
      month := month + counted.month;
    end loop;
    if today > p_person_day or month > p_person_month then
      raise exception 'person limit' using errcode = 'RL011';
    end if;
  end loop;
end $$;
