-- When a step wants to go, apart from the moment last judged by the rules of contact.

alter table recoveries add column wish_at timestamptz;
update recoveries set wish_at = due_at where due_at is not null;
alter table recoveries add constraint wish_with_due check ((wish_at is null) = (due_at is null));

alter table extra_messages add column wish_at timestamptz;
update extra_messages set wish_at = due_at where due_at is not null;
alter table extra_messages add constraint wish_with_due check ((wish_at is null) = (due_at is null));
