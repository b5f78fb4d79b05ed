import { describe, expect, it } from 'vitest';
import { routes, type RouteName } from '../routes/routes.ts';
import { createChargeTable, mergeCharges } from './charges.ts';
import { sharePointLimits } from './limits.ts';

const table = createChargeTable({ tenantId: 't', clientId: 'c', licenceCount: 900, userCount: 600 });
const params = ['p0', 'p1', 'p2', 'p3'];

function windows(route: RouteName, more: object = {}): Record<string, { cost: number; limit: number }> {
  const charges = table.chargesOf({ route, params, ...more });
  return Object.fromEntries(
    charges.flatMap((charge) =>
      charge.windows.map((window) => [`${charge.bucket} ${window.name}`, { cost: window.cost, limit: window.limit }]),
    ),
  );
}

describe('charges', () => {
  it('name a bucket for every route but batches and report addresses', () => {
    const free = (Object.keys(routes) as RouteName[]).filter((route) => table.chargesOf({ route, params }).length === 0);
    expect(free).toEqual(['GET reports:{reportUrl}', 'POST /$batch']);
  });
  it('keep mailboxes apart, whatever the case of their name', () => {
    const [lower] = table.chargesOf({ route: 'GET /users/{id}/messages/{id}', params: ['Ada@Contoso.com', 'm'] });
    expect(lower?.bucket).toBe('outlook/t/c/ada@contoso.com');
    expect(lower?.slots).toMatchObject({ limit: 4, heldForRestores: 1 });
  });
  it('put an export on its owner', () => {
    const [charge] = table.chargesOf({ route: 'POST /admin/exchange/mailboxes/{id}/exportItems', params: ['mbx'], mailbox: 'u1' });
    expect(charge?.bucket).toBe('outlook/t/c/u1');
  });
  it('count units as SharePoint does', () => {
    expect(windows('GET /drives/{id}/root/delta')).toMatchObject({
      'sharepoint/t/c minute': { cost: 2, limit: 1_187 },
      'sharepoint/t/c day': { cost: 2, limit: 1_140_000 },
    });
    expect(windows('GET /drives/{id}/root/delta', { isLink: true })['sharepoint/t/c minute']?.cost).toBe(1);
    expect(windows('GET /drives/{id}/items/{id}/permissions')['sharepoint/t/c minute']?.cost).toBe(5);
    expect(windows('POST /drives/{id}/items/{id}/invite')['sharepoint/t/c sharing']?.cost).toBe(1);
  });
  it.each([
    [1_000, 1_187],
    [1_001, 2_375],
    [15_000, 3_562],
    [50_000, 4_750],
    [50_001, 5_937],
  ])('follow the steps of licences: %i → %i units a minute', (licences, units) =>
    expect(sharePointLimits(licences).minute.limit).toBe(units),
  );
  it('hold a fifth of the day for restores', () => {
    expect(sharePointLimits(0).day.heldForRestores).toBe(228_000);
  });
  it('charge family, team and channel of a channel message, one in flight', () => {
    const charges = table.chargesOf({ route: 'GET /teams/{id}/channels/{id}/messages', params });
    expect(charges.map((charge) => charge.bucket)).toEqual([
      'teams/t/c/readChannelMessages',
      'teams/t/c/team/p0',
      'teams/t/c/conversation/p1',
    ]);
    expect(charges[2]?.slots?.limit).toBe(1);
  });
  it('leave Teams a pause: what is sent in the long run stays below 83 % of each rate', () => {
    const rates: readonly (readonly [RouteName, number])[] = [
      ['POST /teams/{id}/channels', 10],
      ['POST /teams/{id}/members/add', 10],
      ['POST /teams/{id}/channels/{id}/completeMigration', 10],
      ['GET /users/{id}/chats', 20],
      ['POST /chats', 20],
      ['POST /teams/{id}/channels/{id}/messages', 50],
      ['GET /teams/{id}/channels/{id}/messages', 20],
    ];
    for (const [route, perSecond] of rates) {
      const window = table.chargesOf({ route, params })[0]?.windows[0];
      expect(window?.limit).toBe(perSecond);
      expect((window?.limit ?? 0) / ((window?.windowMs ?? 1) / 1000)).toBeLessThan(perSecond * 0.83);
    }
  });
  it('let one import a second into a channel or chat', () => {
    for (const route of ['POST /teams/{id}/channels/{id}/messages', 'POST /chats/{id}/messages'] as const)
      expect(table.chargesOf({ route, params }).at(-1)?.windows[0]).toMatchObject({ limit: 1, cost: 1 });
  });
  it('add up in a batch, but hold one slot', () => {
    const one = table.chargesOf({ route: 'GET /users/{id}/messages/{id}', params });
    const [merged] = mergeCharges([one, one, one]);
    expect(merged?.windows[0]?.cost).toBe(3);
    expect(merged?.slots?.limit).toBe(4);
  });
});
