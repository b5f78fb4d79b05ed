-- What is known of vaults outside of them, so that one that was replaced, rolled back or emptied shows.

-- The vault that a location holds, since it was first opened: no other one is accepted there, and none is made in its place.
alter table locations add column vault_id uuid;

-- The newest evidence that a verification has put into the vault; it names those before it.
alter table vault_verifications add column evidence text;
