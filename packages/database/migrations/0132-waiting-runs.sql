-- What a run waits for that is away: the error and since when.
alter table runs add column waiting jsonb;
