-- The rates behind interest for late payment, as dated data: the operator adds a half-year without a release.
-- `ecb`: the main refinancing rate of the European Central Bank on the first day. `legal`: the legal interest rate of
-- professionals. A half-year that is missing is not claimed. A rate that was wrong stays here, with who replaced it and when.
create table late_payment_rates (
  kind text not null check (kind in ('ecb', 'legal')),
  starts_on date not null check (to_char(starts_on, 'MM-DD') in ('01-01', '07-01')),
  rate_bps integer not null check (rate_bps between 0 and 1000),
  source text not null,
  verified_on date not null,
  added_by text not null,
  replaced_at timestamptz,
  replaced_by text,
  check ((replaced_at is null) = (replaced_by is null))
);
create unique index late_payment_rates_current on late_payment_rates (kind, starts_on) where replaced_at is null;
grant select on late_payment_rates to relance_api, relance_worker, relance_operator;
grant insert (kind, starts_on, rate_bps, source, verified_on, added_by) on late_payment_rates to relance_operator;
grant update (replaced_at, replaced_by) on late_payment_rates to relance_operator;

insert into late_payment_rates (kind, starts_on, rate_bps, source, verified_on, added_by)
  select 'ecb', starts_on::date, rate_bps, 'European Central Bank, main refinancing operations, rate in effect from ' || since,
         verified_on::date, 'migration'
    from (values ('2021-01-01', 0, '18 September 2019', '2026-11-16'), ('2021-07-01', 0, '18 September 2019', '2026-11-16'),
                 ('2022-01-01', 0, '18 September 2019', '2026-11-16'), ('2022-07-01', 0, '18 September 2019', '2026-11-16'),
                 ('2023-01-01', 250, '21 December 2022', '2026-11-16'), ('2023-07-01', 400, '21 June 2023', '2026-11-16'),
                 ('2024-01-01', 450, '20 September 2023', '2026-11-16'), ('2024-07-01', 425, '12 June 2024', '2026-11-16'),
                 ('2025-01-01', 315, '18 December 2024', '2026-11-16'), ('2025-07-01', 215, '11 June 2025', '2026-11-14'),
                 ('2026-01-01', 215, '11 June 2025', '2026-11-14')) as known (starts_on, rate_bps, since, verified_on);
insert into late_payment_rates (kind, starts_on, rate_bps, source, verified_on, added_by)
  values ('legal', '2026-01-01', 262,
          'Legal interest rate of professionals, first half of 2026, order published in the Journal officiel', '2026-11-14', 'migration');

-- The company gave up the 40 € and the interest of an invoice: {cents, at, by, reason}. `claimed_cents` is then what was paid of
-- them, and nothing more is claimed.
alter table invoices add column late_payment_waiver jsonb;
