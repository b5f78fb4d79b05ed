import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SUBJECTS, type Subject } from '../../testing/changed-subjects.ts';
import { createHurriedClock } from '../../testing/hurried-clock.ts';
import { createRig, type Rig } from '../../testing/rig.ts';
import type { Resource } from '../ports/item.ts';
import type { CollisionPolicy } from './request.ts';

describe.each(Object.entries(SUBJECTS))('a %s that was changed after its backup', (kind, prepare) => {
  let rig: Rig;
  let subject: Subject;
  let resource: Resource;
  let before: readonly string[];
  let changed: readonly string[];
  let snapshot: string;

  beforeAll(async () => {
    const clockOfEngine = createHurriedClock();
    rig = await createRig({ recipes: ['tiny'], clockOfEngine });
    subject = await prepare(rig);
    resource = rig.resource(subject.kind, subject.owner);
    await rig.backup(resource);
    before = await subject.state();
    rig.simulator.clock.advance(3_600_000);
    subject.change();
    changed = await subject.state();
    snapshot = rig.simulator.control.snapshot();
  });
  afterAll(() => rig.close());

  async function restored(collisions: CollisionPolicy) {
    rig.simulator.control.restore(snapshot);
    const item = (await rig.items(resource)).find((one) => one.kind === kind && one.key.endsWith(subject.id));
    const { lines } = await rig.restore({ source: resource, selection: [item?.key ?? ''], target: { resource }, collisions });
    const [line] = lines.filter((one) => one.key === item?.key);
    return { line, state: (await subject.state()).toSorted() };
  }

  it('stays as it is when it is to be skipped', async () => {
    const { line, state } = await restored('skip');
    expect(line).toMatchObject({ outcome: 'skipped', code: 'restore.exists' });
    expect(state).toEqual(changed.toSorted());
  });

  it('stays as it is when the newer one wins', async () => {
    const { line, state } = await restored('newerWins');
    expect(line).toMatchObject({ outcome: 'skipped', code: 'restore.existing-newer' });
    expect(state).toEqual(changed.toSorted());
  });

  it('gives way when it is to be replaced, and nothing else does', async () => {
    const { line, state } = await restored('replace');
    expect(line).toMatchObject({ outcome: 'replaced' });
    expect(before.toSorted()).not.toEqual(changed.toSorted());
    expect(state).toEqual(before.toSorted());
  });

  it('stays beside what comes back when both are to be kept', async () => {
    const { line, state } = await restored('keepBoth');
    expect(['restored', 'renamed']).toContain(line?.outcome);
    const added = before.filter((one) => !changed.includes(one));
    expect(state).toEqual([...changed, ...added].toSorted());
  });
});
