-- A link carries no header: what a browser streams to the disk goes with a token of its own kind, for one address and once.

alter table session_tokens
  drop constraint session_tokens_kind_check,
  add constraint session_tokens_kind_check check (kind in ('access', 'refresh', 'cookie', 'download'));
