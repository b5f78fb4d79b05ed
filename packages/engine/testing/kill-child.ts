import { createFilesystemBlobStore } from '@holdfast/vault';
import type { Simulator } from '@holdfast/m365-simulator';
import type { Resource } from '../src/ports/item.ts';
import { createRig } from './rig.ts';

/** One worker as a process of its own: backs one mailbox up from what its arguments name, commits often, and is killed by its parent. */
interface Argument {
  readonly simulator: Simulator;
  readonly folder: string;
  readonly resource: Resource;
  readonly seed: number;
}

const { simulator, folder, resource, seed } = JSON.parse(process.argv[2] ?? '{}') as Argument;
const rig = await createRig({ shared: simulator, store: createFilesystemBlobStore({ root: folder, sync: false }), seed });
process.stdout.write('working\n');
const result = await rig.backup(resource, {
  selection: { mailbox: { calendars: false, contacts: false, tasks: false } },
  checkpoint: { items: 2, bytes: 1_000_000_000 },
});
process.stdout.write(`done ${result.status}\n`);
process.exit(0);
