-- What was migrated is told to support.
call holdfast.share('holdfast_migrations', 'select');
