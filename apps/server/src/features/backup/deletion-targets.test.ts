import { jobSource } from '@holdfast/contract/jobs';
import { expect, test } from 'vitest';
import type { Coverage } from './covered-resources.ts';
import { deletionTargets, type HeldTarget } from './deletion-targets.ts';

const held = (graphId: string, changes: Partial<HeldTarget> = {}): HeldTarget => ({
  graphId,
  address: `${graphId}@contoso.example`,
  workload: 'exchange',
  ...changes,
});
const person = (id: string) => ({ id, name: id, address: `${id}@contoso.example` });
const nobody = (): Promise<never> => Promise.reject(new Error('Nobody is looked up.'));
const covers =
  (...graphIds: string[]) =>
  async (): Promise<Coverage> => ({
    resources: graphIds.map((graphId) => ({ kind: 'drive', workload: 'onedrive', graphId, name: graphId, address: '' })),
    notCovered: [],
    spared: [],
    isComplete: false,
    askedFor: [],
    everybodyAskedFor: false,
  });

test('everyone is what the location holds of the workload, without asking anybody', async () => {
  const isChosen = await deletionTargets(nobody, { workload: 'exchange', source: jobSource.parse({ everyone: true }) });
  expect([held('left long ago'), held('a drive', { workload: 'onedrive' })].map(isChosen)).toEqual([true, false]);
});

test('everyone but some takes those who have left too, and spares the excluded', async () => {
  const source = jobSource.parse({ everyone: true, excluded: [person('ann')] });
  const isChosen = await deletionTargets(covers('ann'), { workload: 'exchange', source });
  expect([held('ann'), held('ben'), held('left long ago')].map(isChosen)).toEqual([false, true, true]);
});

test('the drive of somebody excluded is spared by what the directory says, and by its address when it says nothing any more', async () => {
  const source = jobSource.parse({ everyone: true, excluded: [person('ann'), person('gone')] });
  const isChosen = await deletionTargets(covers('drive-of-ann'), { workload: 'onedrive', source });
  const drive = (graphId: string, address: string): HeldTarget => held(graphId, { workload: 'onedrive', address });
  const drives = [drive('drive-of-ann', ''), drive('drive-of-gone', 'Gone@Contoso.example'), drive('another', 'ben@contoso.example')];
  expect(drives.map(isChosen)).toEqual([false, false, true]);
});

test('members of an excluded group are spared as it has them now', async () => {
  const source = jobSource.parse({ everyone: true, excluded: [person('group')] });
  const asked: string[] = [];
  const lookUp = async ({ groups, users, excluded }: typeof source): Promise<Coverage> => {
    asked.push(...groups.map(({ id }) => id), ...users.map(({ id }) => id), ...excluded.map(({ id }) => id));
    return covers('member')();
  };
  const isChosen = await deletionTargets(lookUp, { workload: 'exchange', source });
  expect([held('member'), held('other')].map(isChosen)).toEqual([false, true]);
  expect(asked).toEqual(['group', 'group']);
});

test('chosen people are looked up, and nobody else is taken', async () => {
  const source = jobSource.parse({ users: [person('ann')] });
  const isChosen = await deletionTargets(covers('ann'), { workload: 'exchange', source });
  expect([held('ann'), held('ben')].map(isChosen)).toEqual([true, false]);
});

test('the archive of a mailbox is never taken, whoever is chosen', async () => {
  const archive = held('ann', { workload: 'archive' });
  const everybody = await deletionTargets(nobody, { workload: 'exchange', source: jobSource.parse({ everyone: true }) });
  const ann = await deletionTargets(covers('ann'), { workload: 'exchange', source: jobSource.parse({ users: [person('ann')] }) });
  expect([everybody, ann].map((isChosen) => isChosen(archive))).toEqual([false, false]);
});
