-- A blob may lie in several packs: when one of them goes, the others still have it.
alter table vault_blobs alter column frame_length type bigint;
alter table vault_blobs add column added_number bigint generated always as identity;
alter table vault_blobs drop constraint vault_blobs_pkey;
alter table vault_blobs add primary key (organisation_id, realm, location_id, blob_id, pack_id);
