import { expect, test } from 'vitest';
import { renderPage } from '../testing/render-page.tsx';
import { aChoice, aWorker, sampleIds } from '../testing/samples.ts';
import { choiceOf, inRealm } from './worker-choice.ts';

const staging = '01900000-0000-7000-8000-0000000000bb';
const worker = aWorker({ tenant_id: sampleIds.tenant, stagingtenant_id: staging });

test('the staging tenant becomes the tenant whenever the worker is set in staging, and goes again in production', () => {
  const choice = aChoice({ worker });
  const inStaging = inRealm(choice, 'staging');
  expect([inStaging.worker.tenant_id, inStaging.worker.stagingtenant_id]).toEqual([staging, staging]);
  expect(inRealm(inStaging, 'production').worker.tenant_id).toBe(sampleIds.tenant);
});

test('a choice that was made in staging names no tenant of production', () => {
  const client = { clientId: 'c', name: 'Contoso', abbr: 'c', role: 'owner' as const, types: [], workers: [] };
  const choice = choiceOf(client, { ...worker, tenant_id: staging }, { realm: 'staging', userId: 'u' });
  expect(choice.worker.tenant_id).toBe(staging);
  expect(inRealm(choice, 'production').worker.tenant_id).toBeNull();
});

test('changing the realm sets the worker again, and what is kept says so', async () => {
  const { portal } = await renderPage(<p>Page</p>);
  portal.chooseWorker(aChoice({ worker }));
  const kept = (): unknown =>
    (JSON.parse(localStorage.getItem('worker') ?? '{}') as { worker?: { tenant_id?: unknown } }).worker?.tenant_id;
  expect(portal.worker.get()?.worker.tenant_id).toBe(sampleIds.tenant);
  portal.chooseRealm('staging');
  expect([portal.worker.get()?.worker.tenant_id, kept()]).toEqual([staging, staging]);
  portal.chooseRealm('production');
  expect([portal.worker.get()?.worker.tenant_id, kept()]).toEqual([sampleIds.tenant, sampleIds.tenant]);
});
