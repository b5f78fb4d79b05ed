-- One sealed sentence: whoever opens it has the master key of this installation.

create table master_key_proofs (
  only_one boolean primary key default true check (only_one),
  master_key_id text not null,
  sealed bytea not null
);
call holdfast.share('master_key_proofs');
