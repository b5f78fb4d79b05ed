import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { measureProcess, type Measured } from './process.ts';

/** borg with chunks of 64 KiB, on a repository of its own. Every call is undefined when borg is not installed. */
export function createBorg(folder: string) {
  const repository = path.join(folder, 'borg');
  const env = {
    BORG_PASSPHRASE: 'bench',
    BORG_BASE_DIR: path.join(folder, 'borg-home'),
    BORG_UNKNOWN_UNENCRYPTED_REPO_ACCESS_IS_OK: 'yes',
    BORG_RELOCATED_REPO_ACCESS_IS_OK: 'yes',
  };
  const borg = (...args: string[]): Promise<Measured | undefined> => measureProcess('borg', args, env);
  return {
    name: 'borg 64K',
    repository,
    version: async () => (await measureProcess('borg', ['--version']))?.output.trim(),
    create: () => borg('init', '-e', 'repokey', repository),
    backup: (source: string) => borg('create', '--chunker-params', '10,23,16,4095', '-C', 'zstd,3', `${repository}::one`, source),
    async restore(target: string) {
      mkdirSync(target, { recursive: true });
      return measureProcess('sh', ['-c', `cd "$1" && exec borg extract "$2"`, 'sh', target, `${repository}::one`], env);
    },
    one: (file: string) => borg('extract', '--stdout', `${repository}::one`, file.replace(/^\//, '')),
    verify: () => borg('check', '--verify-data', repository),
  };
}
