import { onCrashPoint } from '@holdfast/foundation/crash-point';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dieAndGoOn, requireOnce } from '../testing/die-and-go-on.ts';
import { createHurriedClock } from '../testing/hurried-clock.ts';
import { createRig, type Rig } from '../testing/rig.ts';
import type { Resource } from '../src/ports/item.ts';

afterEach(() => onCrashPoint(undefined));

describe('a restore of files, lists and conversations that dies', () => {
  let rig: Rig;
  const resources = new Map<string, Resource>();
  let snapshot: string;

  beforeAll(async () => {
    rig = await createRig({ recipes: ['contoso'], clockOfEngine: createHurriedClock() });
    for await (const one of rig.graph.sites.allSites())
      if (one.webUrl?.endsWith('/intranet')) resources.set('site', rig.resource('site', one.id ?? ''));
    for await (const group of rig.graph.directory.groups({ teamsOnly: true }))
      if (!resources.has('team')) resources.set('team', rig.resource('team', group.id, 'Team'));
    for (const resource of resources.values()) await rig.backup(resource);
    snapshot = rig.simulator.control.snapshot();
  }, 120_000);
  beforeEach(() => rig.simulator.control.restore(snapshot));
  afterAll(() => rig.close());

  /** What is held, by what it says. Ids are new after a restore. */
  async function held(kind: string): Promise<readonly string[]> {
    const truth = kind === 'site' ? ['sites', 'drives'] : ['teams'];
    const all: string[] = [];
    for (const one of truth) {
      for (const record of await rig.truth(one, resources.get(kind)?.graphId ?? '')) {
        if (record.kind === 'folder' || record.kind === 'list') continue;
        const { Title, body, createdDateTime } = record.metadata;
        const time = record.kind === 'chatMessage' ? createdDateTime : undefined;
        all.push(JSON.stringify([one, record.kind, record.path.replace(/\d{10,}/gu, 'number'), record.sha256, Title, body, time]));
      }
    }
    return all.sort();
  }

  it.each([
    ['site', 'keepBoth', 'restore.after-item', 7],
    ['site', 'keepBoth', 'restore.after-item', 40],
    ['site', 'skip', 'restore.after-item', 40],
    ['site', 'skip', 'restore.version-uploaded', 3],
    ['team', 'keepBoth', 'restore.after-item', 5],
    ['team', 'skip', 'restore.after-item', 5],
    ['team', 'keepBoth', 'restore.before-import', 12],
  ] as const)('comes to what it would have come to (%s, %s, at %s, passing %i)', async (kind, collisions, point, nth) => {
    const source = resources.get(kind);
    if (!source) throw new Error(`There is no ${kind}.`);
    const folder = 'Again';
    await rig.restore({ source, selection: 'all', target: { resource: source, folder }, collisions });
    const expected = await held(kind);
    rig.simulator.control.restore(snapshot);
    requireOnce(await dieAndGoOn(rig, { source, folder, collisions }, [point, nth]));
    expect(await held(kind)).toEqual(expected);
  });
});
