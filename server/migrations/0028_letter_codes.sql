-- A letter has a code that a person can type, besides its link. It is looked up here, and leads to the link. The index holds
-- letters only, so that it is empty when it is made.
alter table message_codes add column letter_code text;
create index message_codes_by_letter_code on message_codes (letter_code) where letter_code is not null;
