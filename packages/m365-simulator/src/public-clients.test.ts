import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runClient } from '../testing/run-client.ts';
import { startSimulator, type Simulator } from './index.ts';

let simulator: Simulator;

beforeAll(async () => {
  simulator = await startSimulator({ recipes: ['tiny'], seed: 5 });
});

afterAll(async () => {
  await simulator.close();
});

describe('public clients, unmodified', () => {
  it('@azure/identity signs in with secret and certificate, and says AADSTS7000215 for a wrong secret', async () => {
    const result = await runClient(simulator, 'azure-identity');
    expect(result).toMatchObject({ secretLives: expect.any(Number), certificateLives: expect.any(Number) });
    expect(result['refusal']).toContain('AADSTS7000215');
  });

  it('@azure/msal-node signs in with secret and with certificates in both forms, and keeps the token', async () => {
    const result = await runClient(simulator, 'msal-node');
    expect(result).toMatchObject({ secret: 'Bearer', isCached: true, sha256: 'Bearer', sha1: 'Bearer' });
    expect(result['refusal']).toContain('7000215');
  });

  it('@microsoft/microsoft-graph-client pages, batches, streams and uploads', async () => {
    const people = simulator.simulation.tenants.get(simulator.tenants[0]?.tenantId ?? '')?.directory.users().length;
    expect(await runClient(simulator, 'graph-client')).toMatchObject({
      users: people,
      messages: expect.any(Number),
      hasDeltaLink: true,
      batch: [200, 404],
      uploadedBytes: 3_000_000,
      isSame: true,
    });
  });

  it('@pnp/graph reads users and groups', async () => {
    expect(await runClient(simulator, 'pnp-graph')).toMatchObject({ users: 3, name: expect.any(String), groups: 2 });
  });

  it('got only answers that the metadata allows', () => {
    expect(simulator.control.violations()['csdl']).toEqual([]);
    expect(simulator.simulation.validator?.checked).toBeGreaterThan(10);
  });
});
