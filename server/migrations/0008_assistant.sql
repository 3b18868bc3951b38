-- Conversations with the assistant, what waits in them for a person's word, and the tokens they cost a day.

-- Whoever opened it: a key, an application, or an application and the person it acts for. Nobody else sees it. `used_at` is the
-- wall's, so that what nobody comes back to is found; the other moments are the tenant's.
create table conversations (
  tenant_id uuid not null references tenants,
  id uuid not null,
  opener text not null,
  last_message text not null,
  message_count integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  used_at timestamptz not null,
  primary key (tenant_id, id)
);
create index conversations_of_opener on conversations (tenant_id, opener, updated_at, id);
create index conversations_by_use on conversations (tenant_id, used_at);

create table conversation_messages (
  tenant_id uuid not null,
  conversation_id uuid not null,
  id uuid not null,
  role text not null check (role in ('user', 'assistant')),
  text text not null,
  tools_called text[] not null,
  created_at timestamptz not null,
  primary key (tenant_id, conversation_id, id),
  foreign key (tenant_id, conversation_id) references conversations (tenant_id, id) on delete cascade
);

-- What was prepared and waits for a word: the exact arguments, whom it was shown, and until when. It is taken by one, and done or
-- dropped once. Taken and not done when `taken_until` has come: whoever took it died, and it may be taken again.
create table confirmations (
  tenant_id uuid not null,
  id uuid not null,
  conversation_id uuid not null,
  token_hash bytea not null,
  caller text not null,
  language text not null check (language in ('fr', 'en')),
  -- JSON as text, which stays as it is: the exact arguments, in their order.
  plan text not null,
  summary text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  taken_until timestamptz,
  done_at timestamptz,
  dropped_at timestamptz,
  primary key (tenant_id, id),
  unique (tenant_id, token_hash),
  foreign key (tenant_id, conversation_id) references conversations (tenant_id, id) on delete cascade
);
create index confirmations_of_conversation on confirmations (tenant_id, conversation_id);

create table conversation_tokens (
  tenant_id uuid not null references tenants,
  day date not null,
  tokens bigint not null,
  primary key (tenant_id, day)
);

do $$
declare t text;
begin
  foreach t in array array['conversations', 'conversation_messages', 'confirmations', 'conversation_tokens']
  loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy one_tenant on %I using (tenant_id = current_setting(''relance.tenant'')::uuid)', t);
  end loop;
end $$;

-- Those nobody came back to, with their messages; and the days nobody counts any more.
create function purge_conversations(p_tenant uuid, p_before timestamptz) returns void
language sql security definer set search_path = public, pg_temp as $$
  delete from conversations where tenant_id = p_tenant and used_at < p_before;
  delete from conversation_tokens where tenant_id = p_tenant and day < p_before::date
$$;

-- A sandbox that is emptied has nothing left to speak of.
create function forget_conversations() returns void
language sql security definer set search_path = public, pg_temp as $$
  delete from conversations c using tenants t
   where c.tenant_id = current_setting('relance.tenant')::uuid and t.id = c.tenant_id and t.environment = 'sandbox'
$$;

revoke all on function purge_conversations, forget_conversations from public;
grant execute on function purge_conversations to relance_worker;
grant execute on function forget_conversations to relance_api;
grant select, insert, update, delete on conversations, conversation_messages, confirmations, conversation_tokens to relance_api;
