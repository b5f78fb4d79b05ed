import { onCrashPoint } from '@holdfast/foundation/crash-point';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dieAndGoOn, requireOnce } from '../testing/die-and-go-on.ts';
import { createHurriedClock } from '../testing/hurried-clock.ts';
import { createRig, type Rig } from '../testing/rig.ts';
import type { Resource } from '../src/ports/item.ts';

const MIB = 1024 * 1024;
/** Two fragments. */
const LARGE_BYTES = 11 * MIB;

afterEach(() => onCrashPoint(undefined));

describe('a restore that dies while it uploads a large file', () => {
  let rig: Rig;
  let drive: Resource;
  let snapshot: string;
  let wanted: readonly unknown[];
  let since = 0;

  beforeAll(async () => {
    rig = await createRig({ recipes: ['tiny'], clockOfEngine: createHurriedClock() });
    const users: string[] = [];
    for await (const user of rig.graph.directory.users()) if (user.userType === 'Member' && user.accountEnabled) users.push(user.id);
    const [owner = ''] = users;
    drive = rig.resource('drive', (await rig.graph.drives.userDrive({ userId: owner })).id);
    for (const record of await rig.truth('drives', drive.graphId))
      if (!record.path.includes('/')) rig.act('drives.purge', { user: owner, id: record.id });
    const { id } = rig.act('drives.createFile', { user: owner, name: 'Large.bin', sizeBytes: LARGE_BYTES });
    rig.act('drives.edit', { user: owner, id, sizeBytes: LARGE_BYTES + MIB });
    await rig.backup(drive);
    wanted = await hashes();
    rig.act('drives.purge', { user: owner, id });
    snapshot = rig.simulator.control.snapshot();
  });
  beforeEach(() => {
    rig.simulator.control.restore(snapshot);
    since = rig.simulator.simulation.log.total;
  });
  afterAll(() => rig.close());

  function asked(method: string, path: string): number {
    return rig.simulator.simulation.log.list({ method, path, after: since }).filter(({ status }) => status < 400).length;
  }

  async function hashes(): Promise<readonly unknown[]> {
    return (await rig.truth('drives', drive.graphId)).map(({ path, sha256 }) => [path, sha256]);
  }

  const request = (versions: boolean) => ({ source: drive, collisions: 'skip', options: { versions } }) as const;

  it.each([1, 2])('goes on in the session that is open, after %i of its states', async (nth) => {
    requireOnce(await dieAndGoOn(rig, request(false), ['restore.uploading', nth]));
    expect([asked('POST', 'createUploadSession'), asked('DELETE', 'uploadSessions')]).toEqual([1, 0]);
    expect(asked('PUT', 'uploadSessions')).toBe(2);
    expect(asked('PUT', '/content')).toBe(0);
    expect(await hashes()).toEqual(wanted);
  });

  it('gives the session up that is of another version', async () => {
    // Two states of the first version, then those of the second.
    requireOnce(await dieAndGoOn(rig, request(true), ['restore.uploading', 4]));
    expect(asked('DELETE', 'uploadSessions')).toBe(1);
    expect(await hashes()).toEqual(wanted);
  });
});
