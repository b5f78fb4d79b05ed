import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSimulator, type Simulator } from './index.ts';

const run = promisify(execFile);
let simulator: Simulator;

beforeAll(async () => {
  simulator = await startSimulator({ recipes: ['tiny'], seed: 5 });
});

afterAll(async () => {
  await simulator.close();
});

/** Runs a script in a process of its own. It knows the real host names alone; proxy and authority come from the environment. */
async function runClient(name: string): Promise<Record<string, unknown>> {
  const [access] = simulator.tenants;
  const { stdout } = await run(process.execPath, [fileURLToPath(new URL(`../testing/clients/${name}.ts`, import.meta.url))], {
    env: {
      PATH: process.env['PATH'],
      HTTPS_PROXY: simulator.proxy,
      NODE_USE_ENV_PROXY: '1',
      NODE_EXTRA_CA_CERTS: simulator.ca,
      TENANT_ID: access?.tenantId,
      CLIENT_ID: access?.clientId,
      CLIENT_SECRET: access?.clientSecret,
      CERTIFICATE: access?.certificate,
    },
  });
  return JSON.parse(stdout) as Record<string, unknown>;
}

describe('public clients, unmodified', () => {
  it('@azure/identity signs in with secret and certificate, and says AADSTS7000215 for a wrong secret', async () => {
    const result = await runClient('azure-identity');
    expect(result).toMatchObject({ secretLives: expect.any(Number), certificateLives: expect.any(Number) });
    expect(result['refusal']).toContain('AADSTS7000215');
  });

  it('@azure/msal-node signs in with secret and with certificates in both forms, and keeps the token', async () => {
    const result = await runClient('msal-node');
    expect(result).toMatchObject({ secret: 'Bearer', isCached: true, sha256: 'Bearer', sha1: 'Bearer' });
    expect(result['refusal']).toContain('7000215');
  });

  it('@microsoft/microsoft-graph-client pages, batches, streams and uploads', async () => {
    const people = simulator.simulation.tenants.get(simulator.tenants[0]?.tenantId ?? '')?.directory.users().length;
    expect(await runClient('graph-client')).toMatchObject({
      users: people,
      messages: expect.any(Number),
      hasDeltaLink: true,
      batch: [200, 404],
      uploadedBytes: 3_000_000,
      isSame: true,
    });
  });

  it('@pnp/graph reads users and groups', async () => {
    expect(await runClient('pnp-graph')).toMatchObject({ users: 3, name: expect.any(String), groups: 2 });
  });

  it('got only answers that the metadata allows', () => {
    expect(simulator.control.violations()['csdl']).toEqual([]);
    expect(simulator.simulation.validator?.checked).toBeGreaterThan(10);
  });
});
