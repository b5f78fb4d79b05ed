import { createSeededRandom } from '@holdfast/foundation/random';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { driveOfTruth, driveOfVault } from '../testing/compare-drive.ts';
import { mailOfTruth, mailOfVault } from '../testing/compare-mail.ts';
import { createHurriedClock } from '../testing/hurried-clock.ts';
import { createRig, type Rig } from '../testing/rig.ts';
import type { Resource } from '../src/ports/item.ts';

const DAYS = 30;
const PAIRS = 200;
const MAIL_ONLY = { mailbox: { calendars: false, contacts: false, tasks: false } };

interface Moment {
  readonly resource: Resource;
  readonly sequence: number;
  /** How many changes the store had seen then. */
  readonly changes: number;
}

/** Paths of folders are those of now in the store's history, so what is compared is what was in them. */
function withoutPath<T extends { readonly path: string }>(entries: ReadonlyMap<string, T>): Map<string, Omit<T, 'path'>> {
  return new Map([...entries].map(([id, { path: _path, ...rest }]) => [id, rest]));
}

describe('any restore point of thirty days', () => {
  let rig: Rig;
  const moments: Moment[] = [];
  const unsettled: string[] = [];

  async function take(kind: 'mailbox' | 'drive', userId: string, owner: string): Promise<void> {
    const { control, tenants } = rig.simulator;
    const resource = rig.resource(kind, userId);
    const result = await rig.backup(resource, { selection: MAIL_ONLY });
    if (result.status !== 'successful') unsettled.push(`${kind} ${result.status} ${result.code ?? ''}`);
    const owners = control.owners(tenants[0]?.tenantId ?? '', kind === 'mailbox' ? 'mail' : 'drives');
    moments.push({ resource, sequence: result.sequence ?? 0, changes: owners.find((one) => one.owner === owner)?.changes ?? 0 });
  }

  beforeAll(async () => {
    rig = await createRig({ recipes: ['tiny'], clockOfEngine: createHurriedClock() });
    const { control, tenants } = rig.simulator;
    const tenantId = tenants[0]?.tenantId ?? '';
    const users: string[] = [];
    for await (const user of rig.graph.directory.users()) if (user.userType === 'Member' && user.accountEnabled) users.push(user.id);
    for (let day = 1; day <= DAYS; day += 1) {
      control.playDay(tenantId, day);
      for (const userId of users) {
        await take('mailbox', userId, userId);
        await take('drive', userId, (await rig.graph.drives.userDrive({ userId })).id);
      }
    }
  }, 300_000);
  afterAll(() => rig.close());

  it('was taken without an error', () => {
    expect(unsettled).toEqual([]);
    expect(moments.length).toBeGreaterThan(DAYS);
  });

  it(`equals the history of the service, for ${PAIRS} random resources and times`, async () => {
    const random = createSeededRandom(11);
    for (let pair = 0; pair < PAIRS; pair += 1) {
      const moment = moments[random.below(moments.length)] as Moment;
      const { resource, sequence, changes } = moment;
      const isMail = resource.kind === 'mailbox';
      const wanted = isMail
        ? withoutPath(await mailOfTruth(rig, resource.graphId, changes))
        : withoutPath(await driveOfTruth(rig, resource.graphId, changes));
      const found = isMail
        ? withoutPath(await mailOfVault(rig, resource, sequence))
        : withoutPath(await driveOfVault(rig, resource, sequence));
      expect(found, `${resource.kind} at ${sequence}`).toEqual(wanted);
    }
  }, 300_000);
});
