-- The link of a message may ask who opens it: wrong answers are counted with its code, and five of them close it.
alter table message_codes add column wrong_answers integer not null default 0;
grant update (wrong_answers) on message_codes to relance_api;
