-- Join tokens can be listed and revoked: by an id that is no secret, with who made them. The defaults serve a server of the
-- version before, which knows no such columns.

alter table worker_join_tokens
  add column token_id uuid not null default gen_random_uuid(),
  add column created_by text not null default '',
  add column created_at timestamptz not null default now();
create unique index worker_join_tokens_token_id on worker_join_tokens (organisation_id, realm, token_id);
