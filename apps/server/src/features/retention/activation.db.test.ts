import type { Tx } from '@holdfast/database';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { systemClock as clock } from '@holdfast/foundation/clock';
import { beforeAll, expect, test } from 'vitest';
import { aGround, testIds as ids, type Ground } from '../../testing/rows.ts';
import { createHalts } from './halts.service.ts';
import { activationEffects } from './retention-effects.ts';
import { createRetentionStore } from './retention.store.ts';

/** Requests for the activation of policies that nobody but the one who asked can decide. */
const { database } = testDatabase(import.meta.url);
const store = createRetentionStore(database);
const effects = activationEffects({ store, halts: createHalts({ store, clock }), approvals: { lapse: () => Promise.resolve() }, clock });
let ground: Ground;

beforeAll(async () => {
  ground = await aGround(database);
}, 120_000);

async function aRequest(tx: Tx, maximum: { readonly maximum_amount: number; readonly maximum_unit: 'years' } | null): Promise<string> {
  const policyId = ids.uuid();
  const at = new Date(clock.nowMs());
  const terms = { anchor: 'received', event_kind: null, amount: 1, unit: 'years', starts: 'day', fiscal_year_end: 12 } as const;
  const made = { created_by: ids.uuid(), creator: 'ann@contoso.example', created_at: at, end_reason: null, preview: '{}' };
  const asked = { previewed_at: at, asked_at: at, asked_by: ids.uuid(), asker: 'ann@contoso.example' };
  const row = { policy_id: policyId, tenant_id: ground.tenantId, name: policyId, is_everything: true, replaces: null, ...terms, ...made };
  await store.add(tx, { ...row, ...asked, ...maximum }, { mailboxIds: [], places: [], labels: [] });
  return policyId;
}

test('a policy that deletes comes into force by no delay, while one that keeps alone does', async () => {
  await store.within(ground.scope, async (tx) => {
    const delayed = { scope: ground.scope, details: {}, mode: 'delay', decider: null } as const;
    const keeps = await aRequest(tx, null);
    expect(await effects.apply(tx, { ...delayed, subjectId: keeps })).toBe(true);
    expect(await store.read(tx, keeps)).toMatchObject({ activated_at: expect.any(Date), look_at: null });
    const deletes = await aRequest(tx, { maximum_amount: 10, maximum_unit: 'years' });
    expect(await effects.apply(tx, { ...delayed, subjectId: deletes })).toBe(false);
    expect(await store.read(tx, deletes)).toMatchObject({ activated_at: null, asked_at: null, look_at: null });
    await store.change(tx, deletes, { asked_at: new Date(clock.nowMs()) });
    const approved = { ...delayed, mode: 'secondPerson', decider: 'ben@contoso.example', subjectId: deletes } as const;
    expect(await effects.apply(tx, approved)).toBe(true);
    expect(await store.read(tx, deletes)).toMatchObject({
      activated_at: expect.any(Date),
      look_at: expect.any(Date),
      approver: approved.decider,
    });
  });
});
