import type { Destination } from '@holdfast/contract/forwarding';
import type { Scope } from '@holdfast/database';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { systemClock } from '@holdfast/foundation/clock';
import { createServerCertificate } from '@holdfast/m365-simulator/testing/server-certificate';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { openMasterKey } from '../../keys/master-key.ts';
import { readConfig } from '../../settings/config.ts';
import { startRole } from '../../testing/processes.ts';
import { testIds } from '../../testing/rows.ts';
import { testServer } from '../../testing/test-server.ts';
import { createAuditInbox } from '../audit/index.ts';
import { startWebhookReceiver } from './testing/receivers.ts';

const testing = testDatabase(import.meta.url);
const LOCK = 7_230_215;
const waiting = `select pid from pg_locks where locktype = 'advisory' and objid = ${LOCK} and not granted`;

test('a sender killed between the receipt and its cursor sends the batch again, and what came after it', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'holdfast-killed-sender-'));
  const certificate = await createServerCertificate([]);
  const receiver = await startWebhookReceiver(certificate);
  const common = {
    HOLDFAST_MASTER_KEY: Buffer.alloc(32, 9).toString('base64'),
    HOLDFAST_IDENTITY_PROFILE: 'conformance',
    HOLDFAST_ALLOWED_HOSTS: '127.0.0.1',
  };
  const masterKey = await openMasterKey(readConfig({ ...common, HOLDFAST_DATA_DIR: path.join(folder, 'here') }), testing.database);
  const server = await testServer(testing, { masterKey, settings: common });
  const holder = new pg.Client({ connectionString: testing.ownerUrl });
  onTestFinished(async () => {
    await holder.end();
    await server.close();
    await receiver.close();
    await rm(folder, { recursive: true, force: true });
  });
  const startSender = (name: string) =>
    startRole('scheduler', name, {
      ...common,
      HOLDFAST_DATA_DIR: path.join(folder, name),
      HOLDFAST_DATABASE_URL: testing.ownerUrl,
      HOLDFAST_DATABASE_APPLICATION_URL: testing.applicationUrl,
      HOLDFAST_DATABASE_POOL: '4',
    });
  const owner = await server.owner();
  const body = { kind: 'webhook', name: 'SIEM', url: receiver.url, ca: certificate.ca };
  const made = (await (await server.send('/apollo/api/audit-destinations', { token: owner.tokens.main, body })).json()) as Destination & {
    secret: string;
  };
  receiver.state.secret = made.secret;
  const inbox = createAuditInbox({ clock: systemClock, ids: testIds });
  const record = async (): Promise<string> => {
    const subject = { kind: 'tenant', id: testIds.uuid() };
    const scope: Scope = { organisationId: owner.organisationId, realm: 'production' };
    await testing.database.within(scope, (tx) =>
      inbox.record(tx, { event: 'tenants.changed', actor: { kind: 'system', name: 'test' }, subject }),
    );
    return subject.id;
  };

  await holder.connect();
  await holder.query('select pg_advisory_lock($1)', [LOCK]);
  await testing.asSuperuser(`create function wait_for_the_test() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock(${LOCK}); return new; end $$`);
  await testing.asSuperuser(
    'create trigger wait_for_the_test after update of cursor on audit_destinations for each row execute function wait_for_the_test()',
  );
  const subjects = [await record()];
  const victim = await startSender('victim');
  await expect.poll(() => testing.asSuperuser(waiting), { timeout: 120_000 }).toHaveLength(1);
  expect(receiver.accepted).toHaveLength(1);
  await victim.kill();
  subjects.push(await record());
  await holder.query('select pg_advisory_unlock($1)', [LOCK]);
  // Its transaction ends without a commit before anything else touches the table.
  await testing.asSuperuser('drop trigger wait_for_the_test on audit_destinations');
  // The lease of the dead process runs out by itself; here nobody waits for it.
  await testing.asSuperuser(`update audit_destinations set leased_until = now()`);
  const heir = await startSender('heir');
  onTestFinished(() => heir.kill());
  const last = () => receiver.events().at(-1)?.subjectId;
  await expect.poll(last, { timeout: 120_000 }).toBe(subjects[1]);
  const [first, second] = receiver.accepted;
  expect(receiver.events().filter(({ subjectId }) => subjectId === subjects[0])).toHaveLength(2);
  expect(second?.events[0]?.sequence).toBe(first?.events[0]?.sequence);
  expect(receiver.refused).toEqual([]);
}, 300_000);
