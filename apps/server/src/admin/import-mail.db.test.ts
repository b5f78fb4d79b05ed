import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { outlookPasswordCheck } from '@holdfast/contract/outlook-password';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { bytesOfSparse, writePst } from '@holdfast/engine/testing/pst-writer';
import { sha256Hex } from '@holdfast/foundation/bytes';
import { silentLogger as logger } from '@holdfast/foundation/logger';
import { en } from '@holdfast/phrases/en';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openMasterKey } from '../keys/master-key.ts';
import { operatorSentence } from '../operator-sentence.ts';
import { readConfig } from '../settings/config.ts';
import { startSimulatedServer, type SimulatedServer } from '../testing/simulated-server.ts';
import { connectSimulated, type SimulatedTenant } from '../testing/simulated-tenant.ts';
import { importMail } from './import-mail.ts';

/** The command beside a server that runs, whose worker reads the files. */
const testing = testDatabase(import.meta.url);
let folder = '';
let running: SimulatedServer;
let tenant: SimulatedTenant;
let person: { readonly id: string; readonly mail: string };
let owner: Awaited<ReturnType<SimulatedServer['server']['owner']>>;

const at = (...names: readonly string[]): string => path.join(folder, ...names);
const settings = () => ({
  HOLDFAST_DATA_DIR: at('data'),
  HOLDFAST_DATABASE_URL: testing.ownerUrl,
  HOLDFAST_DATABASE_APPLICATION_URL: testing.applicationUrl,
  HOLDFAST_IMPORT_ROOTS: at('imports'),
  HOLDFAST_LOCATION_ROOTS: folder,
});

const message = 'From: anna@fabrikam.example\nSubject: Founding\nDate: Mon, 04 Mar 2013 09:12:00 +0000\n\nSigned.\n';
const mbox = `From anna@fabrikam.example Mon Mar  4 09:12:00 2013\n${message}\nFrom anna@fabrikam.example Mon Mar  4 10:00:00 2013\n\nno header\n\n`;

/** The command as the console runs it: what it prints, and how it ends: with an exit code, or with the sentence that the operator reads. */
async function run(given: Readonly<Record<string, string>>, roots = at('imports')) {
  const lines: string[] = [];
  const config = readConfig({
    ...settings(),
    HOLDFAST_IMPORT_ROOTS: roots,
    HOLDFAST_GRAPH_URL: running.simulator.graph,
    HOLDFAST_LOGIN_URL: running.simulator.login,
    HOLDFAST_GRAPH_CA_FILE: running.simulator.ca,
  });
  const common = { tenant: tenant.tenantId, location: tenant.locationId, as: owner.email };
  const context = { config, logger, print: (line: string): void => void lines.push(line) };
  const end = await importMail.run(context, { ...common, ...given }).catch((error: unknown) => operatorSentence(error, config));
  return { lines, end };
}

async function archived(): Promise<unknown[]> {
  const rows = await testing.asSuperuser(
    `select item_key, detail #>> '{properties,placements,0,folder}' as folder from catalog_items
       join catalog_sources using (organisation_id, realm, source_id) join resources using (organisation_id, realm, resource_id)
     where resources.kind = 'archive' and graph_id = $1 and to_point = 9007199254740991 order by folder`,
    [person.id],
  );
  return rows.map(({ item_key, folder: name }) => [item_key, name]);
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'holdfast-import-mail-'));
  await mkdir(at('imports'));
  const masterKey = await openMasterKey(readConfig(settings()), testing.database);
  running = await startSimulatedServer(
    testing,
    { HOLDFAST_IMPORT_ROOTS: at('imports'), HOLDFAST_LOCATION_ROOTS: folder },
    { recipe: 'tiny' },
    { masterKey },
  );
  const { server, simulator } = running;
  owner = await server.owner();
  tenant = await connectSimulated({ server, owner, simulator, testing, vault: at('vault') });
  const [directory] = [...simulator.simulation.tenants.values()].map((one) => one.directory);
  const found = directory?.users().find((one) => one.hasMailbox && one.kind === 'member');
  if (!found) throw new Error('Nobody has a mailbox.');
  person = found;
  await writeFile(at('imports', 'Letters.mbox'), mbox, 'latin1');
}, 120_000);
afterAll(async () => {
  await running.close();
  await rm(folder, { recursive: true, force: true });
});

test('files are looked at without a mailbox, then imported into its archive, and what is no message is named with its place', async () => {
  const begun = expect.stringMatching(/^The job "Console [^"]*" reads the files/u) as string;
  const fault = `not taken in: Letters.mbox, at byte ${mbox.lastIndexOf('From anna')}: There is no header here, so this is no message.`;
  expect(await run({ path: 'Letters.mbox' })).toEqual({
    end: 4,
    lines: [
      begun,
      'mboxrd: 1 file',
      'Letters: 1 message, 2013-03-04T09:12:00.000Z to 2013-03-04T09:12:00.000Z',
      fault,
      '2 messages read: 1 can be imported, 1 not taken in.',
      'Nothing is stored yet. Say whose archive it goes to with --mailbox ADDRESS.',
    ],
  });
  expect(await archived()).toEqual([]);
  const given = { path: 'Letters.mbox', mailbox: person.mail, into: 'Old' };
  const taken = '2 messages read: 1 new, 0 already there, 0 erased before, 1 not taken in.';
  expect(await run(given)).toEqual({ end: 4, lines: [begun, fault, taken] });
  expect(await archived()).toEqual([[sha256Hex(Buffer.from(message)), 'Old/Letters']]);
  expect((await run(given)).lines.at(-1)).toBe('2 messages read: 0 new, 1 already there, 0 erased before, 1 not taken in.');
}, 120_000);

test('the audit log names the member in whose name it was done, and the console as where', async () => {
  const logged = await testing.asSuperuser(`
    select payload::text as payload from audit_inbox where event = 'jobs.created'
    union all select payload::text from audit_events where event = 'jobs.created'`);
  expect(logged.map(({ payload }) => JSON.parse(String(payload)) as unknown)).toEqual(
    [1, 2, 3].map(() => expect.objectContaining({ actorKind: 'account', actor: owner.email, address: 'console' }) as unknown),
  );
}, 120_000);

test('an Outlook data file opens with the password of a file', async () => {
  const items = [{ properties: [{ id: 0x00_37, value: 'One' }] }];
  await writeFile(
    at('imports', 'anna.pst'),
    bytesOfSparse(writePst([{ name: 'Inbox', items }], { passwordCheck: outlookPasswordCheck('secret') })),
  );
  const closed = await run({ path: 'anna.pst' });
  expect(closed.end).toBe(4);
  expect(closed.lines).toContainEqual(expect.stringMatching(/^not taken in: anna\.pst, at byte 0: .*password/u));
  await writeFile(at('password'), 'secret\n');
  expect(await run({ path: 'anna.pst', 'password-file': at('password') })).toMatchObject({ end: 0 });
}, 120_000);

test('an import that the worker ends says why, and does not pass for one of nothing', async () => {
  await mkdir(at('elsewhere'));
  await writeFile(at('elsewhere', 'Letters.mbox'), mbox, 'latin1');
  expect(await run({ path: at('elsewhere'), mailbox: person.mail }, folder)).toMatchObject({ end: en.errors['import.folder-refused'] });
}, 120_000);

test('what is not known and what the member may not do is named, and changes nothing', async () => {
  const kept = async () => [await archived(), await testing.asSuperuser('select job_id from jobs order by job_id')];
  const reader = await running.server.member(owner.organisationId, 'reader');
  const invited = await running.server.member(owner.organisationId, 'administrator');
  const left = await running.server.member(owner.organisationId, 'administrator');
  await testing.asSuperuser('update memberships set joined_at = null where account_id = (select id from accounts where email = $1)', [
    invited.email,
  ]);
  await testing.asSuperuser('update accounts set disabled_at = now() where email = $1', [left.email]);
  const before = await kept();
  const wanted = { path: 'Letters.mbox', mailbox: person.mail };
  const nobody = 'nobody@elsewhere.example';
  const unknown = '00000000-0000-4000-8000-000000000000';
  const noMember = (email: string): string => `--as: ${email} is no member of the organisation of this tenant.`;
  const refusals: [Readonly<Record<string, string>>, string][] = [
    [{ path: '' }, '--path is missing.'],
    [{ path: 'Missing.mbox' }, en.errors['import.folder-refused']],
    [{ path: '/etc' }, en.errors['import.folder-refused']],
    [{ tenant: 'nonsense' }, '--tenant is not the id of a tenant.'],
    [{ tenant: unknown }, '--tenant is the id of no tenant here.'],
    [{ location: 'nonsense' }, '--location is not the id of a location.'],
    [{ location: unknown }, en.errors['jobs.location-unknown']],
    [{ mailbox: nobody }, `--mailbox: Microsoft 365 knows nobody who signs in as ${nobody}.`],
    [{ into: 'x'.repeat(801) }, `import.mapping.0.into: ${en.validation.tooLong}`],
    [{ as: reader.email }, `--as: the role of ${reader.email} does not allow imports.`],
    ...[nobody, invited.email, left.email].map((email): [Readonly<Record<string, string>>, string] => [{ as: email }, noMember(email)]),
  ];
  const ends: unknown[] = [];
  for (const [given] of refusals) ends.push(await run({ ...wanted, ...given }));
  expect(ends).toEqual(refusals.map(([, sentence]) => ({ lines: [], end: sentence })));
  expect(await kept()).toEqual(before);
}, 120_000);
