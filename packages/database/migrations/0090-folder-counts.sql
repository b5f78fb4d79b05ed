-- How many children a folder has at any point, without counting them: what each segment changed of their number.
-- The total at a point is the sum up to it.

create table catalog_folder_counts (
  organisation_id uuid not null,
  realm text not null,
  source_id uuid not null,
  -- Empty for the root.
  parent_key text collate "C" not null,
  sequence bigint not null,
  kind text not null,
  change bigint not null,
  primary key (organisation_id, realm, source_id, parent_key, sequence, kind) include (change),
  foreign key (organisation_id, realm, source_id) references catalog_sources (organisation_id, realm, source_id) on delete cascade
);

-- The owner reads the versions of all organisations for once.
alter table catalog_items no force row level security;
insert into catalog_folder_counts
select organisation_id, realm, source_id, coalesce(parent_key, ''), edge.sequence, kind, sum(edge.change)
from catalog_items cross join lateral (values (from_point, 1), (to_point, -1)) as edge (sequence, change)
where edge.sequence <> 9007199254740991
group by 1, 2, 3, 4, 5, 6
having sum(edge.change) <> 0;
alter table catalog_items force row level security;

call holdfast.isolate('catalog_folder_counts');
