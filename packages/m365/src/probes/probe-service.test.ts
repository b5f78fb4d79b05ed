import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSimulatedTenant, type SimulatedTenant } from '../../testing/simulated-tenant.ts';
import type { ProbeResult } from './probe-result.ts';
import { probes } from './probe-service.ts';

let tenant: SimulatedTenant;

beforeAll(async () => {
  tenant = await startSimulatedTenant({ limits: 'off' });
});

afterAll(() => tenant.close());

async function probe(): Promise<ProbeResult[]> {
  return Array.fromAsync(tenant.client.probe());
}

describe('what the product relies on, tried by reading alone', () => {
  it('is all as expected at the simulator, and nothing but GET is sent', async () => {
    const results = await probe();
    expect(results.filter(({ outcome }) => outcome !== 'as expected')).toEqual([]);
    expect(results.map(({ name }) => name)).toEqual(probes.map(({ name }) => name));
    const sent = tenant.simulator.simulation.log.list({ after: 0 }).filter(({ host }) => host !== 'login');
    expect(sent.length).toBeGreaterThan(probes.length);
    expect(new Set(sent.map(({ method }) => method))).toEqual(new Set(['GET']));
  });

  it.each([
    ['count-segment', '/users/$count', 403],
    ['message-mime', '/users/{id}/messages/{id}/$value', 404],
    ['malformed-team-id', '/teams/{id}', 404],
    ['drive-delta-token', '/drives/{id}/root/delta', 400],
  ])('names %s when %s answers %i', async (name, path, status) => {
    tenant.simulator.control.setFaults([{ match: { method: 'GET', path }, do: 'status', status }]);
    const results = await probe();
    tenant.simulator.control.setFaults([]);
    const different = results.filter(({ outcome }) => outcome === 'different');
    expect(different).toContainEqual(expect.objectContaining({ name, detail: expect.stringContaining(String(status)) }));
  });

  it('does not ask what the application may not read, and says so', async () => {
    tenant.simulator.control.setFaults([{ match: { method: 'GET', path: '/users/{id}/mailFolders/{id}' }, do: 'status', status: 403 }]);
    const results = await probe();
    tenant.simulator.control.setFaults([]);
    expect(results.find(({ name }) => name === 'immutable-ids')).toMatchObject({
      outcome: 'not asked',
      detail: 'the application may not read a mailbox',
    });
    expect(results.filter(({ outcome }) => outcome === 'different')).toEqual([]);
  });

  it('tells of every behaviour under a name of its own', () => {
    expect(new Set(probes.map(({ name }) => name)).size).toBe(probes.length);
  });
});
