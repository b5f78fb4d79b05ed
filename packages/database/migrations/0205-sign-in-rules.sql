-- What an organisation asks of whoever works in it: from which networks, and with a second factor.

alter table organisations
  -- Addresses and networks; anywhere where empty.
  add column allowed_networks text[] not null default '{}',
  add column second_factor_required boolean not null default false;
grant select (allowed_networks, second_factor_required) on organisations to holdfast_directory;
