-- How much of what is kept could be searched when the selection was made. An export says so, whenever it is asked for.
-- Null where nothing was searched for, and for selections that are older than this.
alter table search_selections add column coverage jsonb;
