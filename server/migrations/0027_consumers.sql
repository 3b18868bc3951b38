-- What a creditor shows of itself to consumers and in its signature: its mediator, its legal form, and where it is registered.

-- L616-1 and R616-1 C. conso.: the mediator of a company that sells to consumers, and how to reach it.
-- R123-237 C. com.: the legal form, and the town of the trade register, beside the SIREN.
alter table company_settings
  add column mediator_name text,
  add column mediator_address text,
  add column mediator_website text,
  add column legal_form text,
  add column rcs text,
  add constraint company_settings_mediator_check
    check ((mediator_name is null) = (coalesce(mediator_address, mediator_website) is null));
