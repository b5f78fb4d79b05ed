import type { SearchUse } from '@holdfast/contract/saved-searches';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { systemClock } from '@holdfast/foundation/clock';
import { beforeAll, expect, test } from 'vitest';
import type { AccountId, SessionId } from '../../access/actor.ts';
import { aGround, testIds, type Ground } from '../../testing/rows.ts';
import { createAuditInbox } from '../audit/index.ts';
import { createAuditorGround } from '../auditor-access/index.ts';
import { createCaseGround } from '../cases/index.ts';
import { createContentAccess } from '../content-access/index.ts';
import { createSavedSearches } from './saved-searches.service.ts';
import { createSearchService } from './search.service.ts';
import { createSearchUses } from './search-uses.ts';
import { anIndexedMailbox } from './testing/indexed.ts';

const testing = testDatabase(import.meta.url);
const { database } = testing;
let ground: Ground;
const used = new Map<string, SearchUse>();
const uses = createSearchUses();
uses.register(async (_tx, searchId) => [used.get(searchId) ?? []].flat());

const record = async (): Promise<void> => undefined;
const audit = createAuditInbox({ clock: systemClock, ids: testIds });
const access = createContentAccess({
  clock: systemClock,
  cases: createCaseGround({ clock: systemClock }),
  auditors: createAuditorGround({ clock: systemClock }),
});
const parts = { database, clock: systemClock, ids: testIds, audit, access, record, recordWords: record, recognisesScans: false };
const service = createSavedSearches({ ...parts, uses, search: createSearchService(parts) });

function asking() {
  const caller = { address: '127.0.0.1', userAgent: 'test', requestId: 'r', language: 'en' as const };
  const accountId = testIds.uuid() as AccountId;
  const account = { accountId, sessionId: testIds.uuid() as SessionId, email: 'ann@contoso.com', isEmailConfirmed: true };
  const actor = {
    ...account,
    audience: 'main' as const,
    realm: 'production' as const,
    memberships: [{ organisationId: ground.scope.organisationId, role: 'owner' as const }],
  };
  return { actor, scope: ground.scope, tenantId: ground.tenantId, caller, language: 'en' as const };
}

beforeAll(async () => {
  ground = await aGround(database);
  const mailbox = await anIndexedMailbox(database, ground, 'Adele Vance');
  await mailbox.receive({ m1: 'An offer', m2: 'Another offer', m3: 'An invoice' });
}, 120_000);

test('a search in use names its uses and is not deleted until nothing uses it', async () => {
  const { searchId } = await service.create(asking(), { name: 'Used', query: 'offer', hasAlert: false });
  const use: SearchUse = { kind: 'case', id: testIds.uuid(), name: 'Falcon' };
  used.set(searchId, use);
  expect(await service.uses(ground.scope, ground.tenantId, searchId)).toEqual({ items: [use] });
  await expect(service.remove(asking(), searchId)).rejects.toThrow('search.in-use');
  used.delete(searchId);
  await service.remove(asking(), searchId);
  await expect(service.get(ground.scope, ground.tenantId, searchId)).rejects.toThrow('not-found');
});

test('the query of a search that a hold uses only widens', async () => {
  const { searchId } = await service.create(asking(), { name: 'Held', query: 'another', hasAlert: false });
  used.set(searchId, { kind: 'hold', id: testIds.uuid(), name: 'Lawsuit' });
  const change = (query: string) => service.update(asking(), searchId, { name: 'Held', query, hasAlert: false });
  await expect(change('invoice')).rejects.toThrow('search.hold-narrowed');
  expect(await service.get(ground.scope, ground.tenantId, searchId)).toMatchObject({ query: 'another', queryVersion: 1 });
  expect(await change('offer')).toMatchObject({ query: 'offer', queryVersion: 2 });
});
