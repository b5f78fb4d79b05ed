import { act } from '@testing-library/react';
import { dashboard } from '@holdfast/contract/dashboard';
import { tenants } from '@holdfast/contract/tenants';
import { expect, test } from 'vitest';
import { aSignedInApi, renderPage } from '../testing/render-page.tsx';
import { anOverview, aTenant, sampleIds } from '../testing/samples.ts';
import { askEarly } from './ask-early.ts';
import { keptTenant } from './last-tenant.ts';

const anotherTenant = '01a20000-0000-7000-8000-00000000ffff';

/** Which calls a start at an address makes, in their order, when a tenant was shown before. */
async function callsOf(path: string, shownBefore: string | null, clientId: string = sampleIds.organisation): Promise<string[]> {
  const api = aSignedInApi().on(dashboard.overview, anOverview());
  const { portal } = await renderPage(<p>a page</p>, { api });
  keptTenant(localStorage).write(shownBefore === null ? null : { realm: 'production', clientId, tenantId: shownBefore });
  const before = api.calls.length;
  await act(async () => await askEarly(portal, path));
  return api.calls.slice(before).map((call) => call.replace(/\?.*/, '').replace('GET /apollo', ''));
}

const account = '/account';
const list = '/api/Tenants';
const figuresOf = (tenantId: string): string => `/api/${tenantId}/dashboard/overview`;

test('the figures of the tenant of the last visit are asked for at once, and only once', async () => {
  const { tenantId } = aTenant();
  expect(await callsOf('/', tenantId)).toEqual([account, list, figuresOf(tenantId)]);
});

test.each([
  ['nothing is known of an earlier visit', null],
  ['another customer was shown', 'another'],
])('they wait for the tenants when %s', async (_name, clientId) => {
  const { tenantId } = aTenant();
  const shown = clientId === null ? null : tenantId;
  expect(await callsOf('/dashboard', shown, clientId ?? undefined)).toEqual([account, list, figuresOf(tenantId)]);
});

test('another tenant has become the active one: its figures are asked for as well', async () => {
  expect(await callsOf('/', anotherTenant)).toEqual([account, list, figuresOf(anotherTenant), figuresOf(aTenant().tenantId)]);
});

test('a page without those figures does not ask for them', async () => {
  expect(await callsOf('/backup-and-restore/restore', aTenant().tenantId)).toEqual([account, list]);
});

test('tenants that cannot be had leave the rest to the page', async () => {
  const api = aSignedInApi().fail(tenants.list, 503);
  const { portal } = await renderPage(<p>a page</p>, { api });
  await act(async () => await askEarly(portal, '/'));
  expect(api.calls.some((call) => call.includes('overview'))).toBe(false);
});
