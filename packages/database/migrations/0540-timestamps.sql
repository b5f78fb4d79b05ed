-- Time stamps (RFC 3161) on checkpoints of the audit log: one a day, or why there is none.
create table audit_timestamps (
  day date primary key,
  tried_at timestamptz not null,
  -- Why the last attempt got none, and what the authority said to that.
  failure text,
  detail text,
  -- The checkpoint that was stamped, the time that the authority attests, its name, and its token (DER).
  size bigint references audit_checkpoints (size),
  stamped_at timestamptz,
  authority text,
  token bytea,
  check ((token is null) = (size is null) and (token is null) = (stamped_at is null) and (token is null) = (authority is null))
);
call holdfast.share('audit_timestamps', 'select, insert, update');
