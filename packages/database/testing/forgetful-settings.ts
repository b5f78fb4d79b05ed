/** Fast and forgetful: only for servers that live as long as a test run. */
export const forgetfulSettings: Readonly<Record<string, string>> = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_wal_size: '2GB',
  shared_buffers: '128MB',
  max_connections: '200',
  file_copy_method: 'clone',
  // What vacuums is the administrator's: an owner who drops a database by force while it is at work there is refused.
  autovacuum_naptime: '1min',
};
