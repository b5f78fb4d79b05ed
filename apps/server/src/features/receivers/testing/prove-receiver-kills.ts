import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Receiver } from '@holdfast/contract/receivers';
import type { TestDatabase } from '@holdfast/database/testing/test-database';
import { systemClock } from '@holdfast/foundation/clock';
import { createSeededRandom } from '@holdfast/foundation/random';
import { startSimulator } from '@holdfast/m365-simulator';
import { expect, onTestFinished, vi } from 'vitest';
import { openMasterKey } from '../../../keys/master-key.ts';
import { readConfig } from '../../../settings/config.ts';
import { startRole, type RoleProcess } from '../../../testing/processes.ts';
import { connectSimulated } from '../../../testing/simulated-tenant.ts';
import { testServer } from '../../../testing/test-server.ts';
import { aMail, hashOf, JOURNALED, reportOf, type JournaledRow } from './received.ts';
import { smtpClient, type SmtpClient } from './smtp-client.ts';

const SENDERS = 6;
const RETRY_MS = 50;

/** A receiver whose worker is a process of its own. */
async function receiverApart(testing: TestDatabase) {
  const folder = await mkdtemp(path.join(tmpdir(), 'holdfast-killed-receiver-'));
  const simulator = await startSimulator({ recipes: ['tiny'], limits: 'off' });
  const common = {
    HOLDFAST_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    HOLDFAST_IDENTITY_PROFILE: 'conformance',
    HOLDFAST_LOCATION_ROOTS: folder,
    HOLDFAST_GRAPH_URL: simulator.graph,
    HOLDFAST_LOGIN_URL: simulator.login,
    HOLDFAST_GRAPH_CA_FILE: simulator.ca,
  };
  const masterKey = await openMasterKey(readConfig({ ...common, HOLDFAST_DATA_DIR: path.join(folder, 'here') }), testing.database);
  const server = await testServer(testing, { masterKey, settings: common });
  onTestFinished(async () => {
    await server.close();
    await simulator.close();
    await rm(folder, { recursive: true, force: true });
  });
  const owner = await server.owner();
  const tenant = await connectSimulated({ server, owner, simulator, testing, vault: path.join(folder, 'vault') });
  const receiver = await tenant.call<Receiver>(`${tenant.tenantId}/archive/receivers`, { name: 'Journal', locationId: tenant.locationId });
  const worker = (): Promise<RoleProcess> =>
    startRole('worker', 'receiver', {
      ...common,
      HOLDFAST_RECEIVER_PORT: '0',
      HOLDFAST_RECEIVER_DNS: 'none',
      HOLDFAST_DATA_DIR: path.join(folder, 'worker'),
      HOLDFAST_DATABASE_URL: testing.ownerUrl,
      HOLDFAST_DATABASE_APPLICATION_URL: testing.applicationUrl,
      HOLDFAST_DATABASE_POOL: '8',
    });
  const portOf = (role: RoleProcess): number => {
    const line = role
      .log()
      .split('\n')
      .find((text) => text.includes('"event":"receiver-listening"'));
    return (JSON.parse(line ?? '{}') as { port: number }).port;
  };
  return { receiver, worker, portOf };
}

interface Sending {
  readonly name: string;
  readonly to: string;
  readonly port: () => number;
  readonly isOver: () => boolean;
  readonly accepted: Set<string>;
}

/** One connection for as long as it holds. A reply that does not come is no reply. */
function createConnection({ to, port }: Sending) {
  let client: SmtpClient | undefined;
  return {
    async send(report: Buffer): Promise<string> {
      try {
        client ??= await smtpClient(port());
        return await client.mail(to, report);
      } catch {
        client?.close();
        client = undefined;
        await systemClock.sleep(RETRY_MS);
        return '';
      }
    },
    close: () => client?.close(),
  };
}

/** Sends mail after mail until it is stopped; one whose reply did not come is sent again, as any sender does. */
async function sendOn(sending: Sending): Promise<void> {
  const connection = createConnection(sending);
  for (let mail = 0; !sending.isOver(); mail += 1) {
    const report = reportOf(aMail(`${sending.name}-${mail}`, 'x'.repeat(2_000)));
    for (let isTaken = false; !isTaken && !sending.isOver();) {
      const reply = await connection.send(report);
      // A fault of ours never ends a mail: the sender keeps it.
      expect(reply).not.toMatch(/^5/u);
      isTaken = reply.startsWith('250');
      if (isTaken) sending.accepted.add(hashOf(report));
    }
  }
  connection.close();
}

/** Ends the worker with SIGKILL at random moments under load: each mail that was answered with 250 is there, once. */
export async function proveReceiverKills(testing: TestDatabase, kills: number): Promise<void> {
  const { receiver, worker, portOf } = await receiverApart(testing);
  const random = createSeededRandom(20_261_126);
  const accepted = new Set<string>();
  let current = await worker();
  onTestFinished(() => current.kill());
  await vi.waitFor(() => expect(portOf(current)).toBeGreaterThan(0), { timeout: 60_000 });
  let isOver = false;
  const senders = Array.from({ length: SENDERS }, (_, at) =>
    sendOn({ name: `sender${at}`, to: receiver.address, port: () => portOf(current), isOver: () => isOver, accepted }),
  );
  for (let kill = 0; kill < kills; kill += 1) {
    const before = accepted.size;
    await vi.waitFor(() => expect(accepted.size).toBeGreaterThan(before + SENDERS), { timeout: 120_000, interval: 20 });
    await systemClock.sleep(random.below(400));
    await current.kill();
    current = await worker();
  }
  const last = accepted.size;
  await vi.waitFor(() => expect(accepted.size).toBeGreaterThan(last + SENDERS), { timeout: 120_000, interval: 20 });
  isOver = true;
  await Promise.all(senders);
  const rows = (await testing.asSuperuser(JOURNALED)) as unknown as JournaledRow[];
  const counted = Map.groupBy(rows, ({ item_key }) => item_key);
  expect([...accepted].filter((key) => counted.get(key)?.length !== 1)).toEqual([]);
  expect(accepted.size).toBeGreaterThan(kills * SENDERS);
}
