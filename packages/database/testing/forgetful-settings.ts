/** Fast and forgetful: only for servers that live as long as a test run. */
export const forgetfulSettings: Readonly<Record<string, string>> = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_wal_size: '2GB',
  shared_buffers: '128MB',
  max_connections: '200',
  file_copy_method: 'clone',
};
