import path from 'node:path';
import { measureProcess, type Measured } from './process.ts';

/** restic on a repository of its own. Every call is undefined when restic is not installed. */
export function createRestic(folder: string) {
  const repository = path.join(folder, 'restic');
  const env = { RESTIC_PASSWORD: 'bench', RESTIC_CACHE_DIR: path.join(folder, 'restic-cache') };
  const restic = (...args: string[]): Promise<Measured | undefined> =>
    measureProcess('restic', ['-r', repository, '--quiet', ...args], env);
  return {
    name: 'restic',
    repository,
    version: async () => (await measureProcess('restic', ['version']))?.output.split(' ').slice(0, 2).join(' '),
    create: () => restic('init'),
    backup: (source: string) => restic('backup', source),
    restore: (target: string) => restic('restore', 'latest', '--target', target),
    one: (file: string) => restic('dump', 'latest', file),
    verify: () => restic('check', '--read-data'),
  };
}
