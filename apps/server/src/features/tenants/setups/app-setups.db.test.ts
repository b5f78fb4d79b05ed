import { testDatabase } from '@holdfast/database/testing/test-database';
import type { AppSetup } from '@holdfast/contract/app-setups';
import type { ConnectionReport } from '@holdfast/contract/tenants';
import { X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runAzureCliScript } from '../../../testing/azure-cli.ts';
import { startSimulatedServer, type SimulatedServer } from '../../../testing/simulated-server.ts';
import type { SignedIn } from '../../../testing/test-server.ts';

/** Registering an app with the prepared script, against a directory that runs here, and connecting the tenant with it. */
const testing = testDatabase(import.meta.url);
let running: SimulatedServer;
let owner: SignedIn & { readonly organisationId: string };

beforeAll(async () => {
  running = await startSimulatedServer(testing);
  owner = await running.server.owner();
}, 120_000);
afterAll(() => running.close());

async function ask<T>(to: string, options: { body?: unknown; token?: string } = {}): Promise<{ status: number; json: T }> {
  const answer = await running.server.send(`/apollo${to}`, { token: owner.tokens.main, ...options });
  return { status: answer.status, json: (await answer.json()) as T };
}

const prepared = async (more: object = {}): Promise<AppSetup> =>
  (await ask<AppSetup>('/api/app-setups', { body: { appName: 'Holdfast', workloads: ['exchange'], ...more } })).json;

interface Printed {
  readonly microsoftTenantId: string;
  readonly clientId: string;
  readonly clientSecret?: string;
}

/** What the script prints at its end. */
async function registered(setup: AppSetup): Promise<Printed> {
  const { code, output } = await runAzureCliScript(running.simulator, running.folder, setup.scripts.azureCli);
  expect([code, output]).toEqual([0, expect.stringContaining('Application (client) ID')]);
  const after = (label: string): string => new RegExp(`${label}:\\s+(\\S+)`).exec(output)?.[1] ?? '';
  const secret = after('Client secret');
  return {
    microsoftTenantId: after(String.raw`Directory \(tenant\) ID`),
    clientId: after(String.raw`Application \(client\) ID`),
    ...(secret === '' ? {} : { clientSecret: secret }),
  };
}

const granted = (report: ConnectionReport): string[] =>
  report.permissions.filter(({ state }) => state === 'granted').map(({ permission }) => permission);

test('the script registers the app with exactly the permissions chosen, and the tenant is connected with its certificate', async () => {
  const setup = await prepared();
  expect(setup).toMatchObject({ credential: 'certificate', certificate: expect.stringContaining('BEGIN CERTIFICATE') });
  expect(JSON.stringify(setup)).not.toContain('PRIVATE KEY');
  const somewhere = { microsoftTenantId: running.simulator.tenants[0]?.tenantId ?? '', clientId: setup.setupId };
  const before = await ask<ConnectionReport>(`/api/app-setups/${setup.setupId}/check`, { body: somewhere });
  expect([before.status, before.json.ok, before.json.problem]).toEqual([200, false, 'tenants.credential-refused']);

  const ids = await registered(setup);
  const { json: after } = await ask<ConnectionReport>(`/api/app-setups/${setup.setupId}/check`, { body: ids });
  expect(after.problem).toBeNull();
  expect(after.workloads.find(({ workload }) => workload === 'exchange')).toEqual({
    workload: 'exchange',
    canBackUp: true,
    canRestore: true,
  });
  expect(granted(after)).toEqual(expect.arrayContaining(setup.permissions.map(({ permission }) => permission)));
  expect(after.permissions.some(({ permission, state }) => permission === 'Files.Read.All' && state !== 'missing')).toBe(false);
  expect(after.permissions.some(({ state }) => state === 'unneeded')).toBe(false);

  const connected = await ask<{ credential: string; thumbprintEnd: string }>('/api/Tenants', {
    body: { name: 'Contoso', setupId: setup.setupId, ...ids },
  });
  expect([connected.status, connected.json.credential, setup.thumbprint?.endsWith(connected.json.thumbprintEnd)]).toEqual([
    201,
    'certificate',
    true,
  ]);
  expect((await ask(`/api/app-setups/${setup.setupId}`)).status).toBe(404);
  const [left] = await testing.asSuperuser('select count(*)::int as n from app_setups');
  expect(left).toEqual({ n: 0 });
});

test('an app that only reads asks for no permission to write, and one with a secret prints it', async () => {
  const setup = await prepared({ restores: false, credential: 'secret', appName: 'Holdfast reads' });
  expect(setup).toMatchObject({ certificate: null, thumbprint: null });
  expect(setup.permissions.filter(({ permission }) => /Write|Create|Manage|Migrate/.test(permission))).toEqual([]);
  const ids = await registered(setup);
  const { json: report } = await ask<ConnectionReport>(`/api/app-setups/${setup.setupId}/check`, { body: ids });
  const exchange = report.workloads.find(({ workload }) => workload === 'exchange');
  expect(exchange).toEqual({ workload: 'exchange', canBackUp: true, canRestore: false });
});

test('a permission that is contained in another one is not asked for twice, and none that nobody chose', async () => {
  const all = await prepared({ workloads: ['exchange', 'onedrive', 'sharepoint', 'teams'] });
  const names = all.permissions.map(({ permission }) => permission);
  expect(new Set(names).size).toBe(names.length);
  expect(names).not.toContain('Mail.Read');
  expect(names).toEqual(expect.arrayContaining(['Mail.ReadWrite', 'Files.ReadWrite.All', 'Sites.Manage.All', 'Chat.Read.All']));
  const drives = await prepared({ workloads: ['onedrive'] });
  expect(drives.permissions.every(({ workloads }) => workloads.join() === 'onedrive')).toBe(true);
  expect(drives.permissions.some(({ permission }) => /^(Mail|Sites|Team|Chat)/.test(permission))).toBe(false);
});

test('both scripts and the manifest carry the same application, and the certificate is that of the sealed key', async () => {
  const setup = await prepared({ workloads: ['onedrive', 'teams'] });
  const bash = /<<'JSON'\n([\s\S]+?)\nJSON\n/.exec(setup.scripts.azureCli)?.[1] ?? '';
  const power = /@'\n([\s\S]+?)\n'@/.exec(setup.scripts.powerShell)?.[1] ?? '';
  expect(JSON.parse(power)).toEqual(JSON.parse(bash));
  expect(JSON.parse(bash)).toMatchObject(JSON.parse(setup.manifest) as object);
  const { keyCredentials } = JSON.parse(bash) as { keyCredentials: { key: string }[] };
  const sent = new X509Certificate(Buffer.from(keyCredentials[0]?.key ?? '', 'base64'));
  expect(sent.fingerprint.replaceAll(':', '')).toBe(setup.thumbprint);
  expect(sent.verify(sent.publicKey)).toBe(true);
  const rows = await testing.asSuperuser('select row_to_json(a)::text as text from app_setups a');
  expect(JSON.stringify(rows)).not.toContain('PRIVATE KEY');
});

test('names that a shell could misread are refused at their field; others see and use no preparation', async () => {
  const refused = await ask<{ errors: object }>('/api/app-setups', { body: { appName: `x' $(id) '`, workloads: [] } });
  expect([refused.status, Object.keys(refused.json.errors).sort()]).toEqual([400, ['appName', 'workloads']]);
  const setup = await prepared();
  const stranger = await running.server.owner();
  const token = stranger.tokens.main;
  const ids = { microsoftTenantId: setup.setupId, clientId: setup.setupId };
  expect((await ask(`/api/app-setups/${setup.setupId}`, { token })).status).toBe(404);
  expect((await ask(`/api/app-setups/${setup.setupId}/check`, { token, body: ids })).status).toBe(404);
  expect((await ask('/api/Tenants', { token, body: { name: 'Theirs', setupId: setup.setupId, ...ids } })).status).toBe(404);
});
