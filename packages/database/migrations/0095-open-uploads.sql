-- The upload session that a restore has open for an item, sealed: its address is all that somebody needs to write there.

alter table run_beginnings add column upload bytea;
