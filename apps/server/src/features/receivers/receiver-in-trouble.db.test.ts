import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { Receiver } from '@holdfast/contract/receivers';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { fillDisk, mayMount } from '../../testing/disks.ts';
import { startSimulatedServer, type SimulatedServer } from '../../testing/simulated-server.ts';
import { connectSimulated, type SimulatedTenant } from '../../testing/simulated-tenant.ts';
import { aMail, hashOf, JOURNALED, reportOf, type JournaledRow } from './testing/received.ts';
import { smtpClient, stuffed } from './testing/smtp-client.ts';

/** A receiver whose disk fills up and whose database goes away: the sender keeps its mail, and sends it again. */
const testing = testDatabase(import.meta.url);
let running: SimulatedServer;
let tenant: SimulatedTenant;
let receiver: Receiver;
let port: number;
let disk = '';

const shown = async (): Promise<Receiver | undefined> =>
  (await tenant.call<{ items: Receiver[] }>(`${tenant.tenantId}/archive/receivers`)).items[0];

async function deliver(raw: Buffer): Promise<string> {
  const client = await smtpClient(port);
  try {
    return await client.mail(receiver.address, raw);
  } finally {
    client.close();
  }
}

/** Sends again until it is taken in, as Exchange does: whatever is said before that keeps the mail. */
async function deliverAgain(raw: Buffer): Promise<void> {
  await vi.waitFor(
    async () => {
      const reply = await deliver(raw);
      expect(reply).not.toMatch(/^5/u);
      if (!reply.startsWith('250')) throw new Error(reply);
    },
    { timeout: 60_000, interval: 300 },
  );
}

async function expectOnce(...reports: readonly Buffer[]): Promise<void> {
  const rows = (await testing.asSuperuser(JOURNALED)) as unknown as JournaledRow[];
  const counted = Map.groupBy(rows, ({ item_key }) => item_key);
  expect(reports.map((report) => counted.get(hashOf(report))?.length)).toEqual(reports.map(() => 1));
}

beforeAll(async () => {
  running = await startSimulatedServer(testing, { HOLDFAST_RECEIVER_PORT: '0', HOLDFAST_RECEIVER_DNS: 'none' });
  const { server, simulator, folder } = running;
  disk = path.join(folder, 'disk');
  mkdirSync(disk);
  if (mayMount) execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', disk]);
  tenant = await connectSimulated({ server, owner: await server.owner(), simulator, testing, vault: path.join(disk, 'vault') });
  receiver = await tenant.call<Receiver>(`${tenant.tenantId}/archive/receivers`, { name: 'Journal', locationId: tenant.locationId });
  port = await vi.waitFor(
    async () => {
      const listening = (await shown())?.listening;
      if (!listening) throw new Error('Nobody listens yet.');
      return listening.port;
    },
    { timeout: 60_000, interval: 200 },
  );
}, 120_000);
afterAll(async () => {
  if (mayMount) execFileSync('umount', ['-l', disk]);
  await running.close();
});

const fullDisk = 'A6: on a full disk a mail is answered with 4xx and named, and with space again it is there once';
test.skipIf(!mayMount)(
  `${fullDisk}${mayMount ? '' : ' (this user may not mount)'}`,
  async () => {
    const [before, during] = [reportOf(aMail('before')), reportOf(aMail('during', 'x'.repeat(50_000)))];
    await deliverAgain(before);
    const ballast = await fillDisk(disk);
    for (let turn = 0; turn < 3; turn += 1) expect(await deliver(during)).toMatch(/^4/u);
    const failure = () => shown().then((row) => row?.lastFailure);
    await expect.poll(failure).toBe('vault.storage-full');
    await rm(ballast);
    await deliverAgain(during);
    await expectOnce(before, during);
  },
  120_000,
);

test('A6: without its database a mail is answered with 4xx, before it and after it was announced, and with it again it is there once', async () => {
  const [before, open, during] = [reportOf(aMail('first')), reportOf(aMail('open')), reportOf(aMail('new'))];
  await deliverAgain(before);
  const client = await smtpClient(port);
  // Whoever is received already was found before the database went: only the mail itself meets its absence.
  for (const line of ['MAIL FROM:<exchange@contoso.example>', `RCPT TO:<${receiver.address}>`, 'DATA'])
    expect(await client.say(line)).toMatch(/^[23]/u);
  const [row] = await testing.asSuperuser('select current_database() as name');
  const name = String(row?.['name']);
  const roles = ['public', ...[testing.ownerUrl, testing.applicationUrl].map((url) => `"${new URL(url).username}"`)].join(', ');
  await testing.asSuperuser(`revoke connect on database "${name}" from ${roles}`);
  try {
    await testing.asSuperuser(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    expect(await client.send(stuffed(open))).toMatch(/^4/u);
    expect(await deliver(during)).toMatch(/^4/u);
  } finally {
    await testing.asSuperuser(`grant connect on database "${name}" to ${roles}`);
    client.close();
  }
  for (const report of [open, during]) await deliverAgain(report);
  await expectOnce(before, open, during);
}, 120_000);
