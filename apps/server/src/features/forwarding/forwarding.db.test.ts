import type { Destination } from '@holdfast/contract/forwarding';
import type { Scope } from '@holdfast/database';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { systemClock } from '@holdfast/foundation/clock';
import { freePort } from '@holdfast/foundation/free-port';
import { createServerCertificate } from '@holdfast/m365-simulator/testing/server-certificate';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { testIds } from '../../testing/rows.ts';
import { testServer, type SignedIn, type TestServer } from '../../testing/test-server.ts';
import { createAuditInbox } from '../audit/index.ts';
import { startSyslogReceiver, startWebhookReceiver } from './testing/receivers.ts';

/** Audit events on their way to real receivers, through the API and the scheduler of a running product. */
const testing = testDatabase(import.meta.url);
const inbox = createAuditInbox({ clock: systemClock, ids: testIds });
const patience = { timeout: 120_000 };
let certificate: Awaited<ReturnType<typeof createServerCertificate>>;
let server: TestServer;
let owner: SignedIn & { readonly organisationId: Scope['organisationId'] };

beforeAll(async () => {
  certificate = await createServerCertificate(['siem.example']);
  server = await testServer(testing, { roles: ['api', 'scheduler'], settings: { HOLDFAST_ALLOWED_HOSTS: '127.0.0.1' } });
  owner = await server.owner();
}, 120_000);
afterAll(() => server.close());

const base = '/apollo/api/audit-destinations';
type Made = Destination & { readonly secret: string | null };

async function call<T>(to: string, options: { method?: string; body?: unknown; who?: SignedIn } = {}): Promise<T> {
  const { who = owner, ...rest } = options;
  const answer = await server.send(to, { ...rest, token: who.tokens.main });
  const text = await answer.text();
  if (answer.status >= 400) throw new Error(`${to}: ${answer.status} ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

/** The code of an answer that refuses, with the field it names. */
async function refusal(to: string, options: { method?: string; body?: unknown; who?: SignedIn }): Promise<string> {
  const { who = owner, ...rest } = options;
  const answer = await server.send(to, { ...rest, token: who.tokens.main });
  const { code = '', errors = {} } = (await answer.json()) as { code?: string; errors?: object };
  return [answer.status, code, ...Object.keys(errors)].join(' ');
}

async function create(body: object): Promise<Made> {
  const made = await call<Made>(base, { body });
  onTestFinished(async () => {
    await server.send(`${base}/${made.destinationId}`, { method: 'DELETE', token: owner.tokens.main });
  });
  return made;
}
const shown = async (destinationId: string): Promise<Destination | undefined> =>
  (await call<{ items: Destination[] }>(base)).items.find((item) => item.destinationId === destinationId);

/** Writes events into the log and returns their subjects, in order. */
async function record(count: number, event: 'tenants.changed' | 'alarms.run' = 'tenants.changed'): Promise<string[]> {
  const subjects = Array.from({ length: count }, () => testIds.uuid());
  const scope: Scope = { organisationId: owner.organisationId, realm: 'production' };
  await testing.database.within(scope, async (tx) => {
    for (const id of subjects) {
      const subject = { kind: 'tenant', id, name: 'Zürich – 株式会社' };
      await inbox.record(tx, { event, actor: { kind: 'system', name: 'test' }, subject });
    }
  });
  return subjects;
}

async function webhook(given: object = {}) {
  const receiver = await startWebhookReceiver(certificate);
  onTestFinished(() => receiver.close());
  const made = await create({ kind: 'webhook', name: 'SIEM', url: receiver.url, ca: certificate.ca, ...given });
  receiver.state.secret = made.secret ?? '';
  return { receiver, made };
}

/** The subjects of the events of the test, in the order in which they arrived. */
const subjectsOf = (events: readonly { readonly subjectId: string | null }[], wanted: readonly string[]): (string | null)[] =>
  events.map(({ subjectId }) => subjectId).filter((id) => id !== null && wanted.includes(id));

test('a webhook receives every event in order with a signature it can check; its secret is shown once and stored sealed', async () => {
  const { receiver, made } = await webhook();
  const wanted = await record(250);
  await expect.poll(() => subjectsOf(receiver.events(), wanted).length, patience).toBe(250);
  expect(subjectsOf(receiver.events(), wanted)).toEqual(wanted);
  const sequences = receiver.events().map(({ sequence }) => sequence);
  expect(sequences).toEqual(sequences.toSorted((one, other) => one - other));
  const secret = made.secret ?? '';
  expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
  expect(JSON.stringify(await call(base))).not.toContain(secret.slice(6));
  const rows = await testing.asSuperuser('select *, encode(sealed_secret, $1) as hex from audit_destinations', ['escape']);
  expect(JSON.stringify(rows)).not.toContain(secret.slice(6));
  await expect.poll(async () => (await shown(made.destinationId))?.backlog, patience).toBe(0);
  expect(await shown(made.destinationId)).toMatchObject({ lastFailure: null, failingSince: null, lastSentAt: expect.any(String) });
}, 240_000);

test('after a new secret the old one signs nothing more', async () => {
  const { receiver, made } = await webhook();
  const { secret } = await call<{ secret: string }>(`${base}/${made.destinationId}/secret`, { method: 'POST' });
  const tried = await call<object>(`${base}/${made.destinationId}/test`, { method: 'POST' });
  expect(tried).toEqual({ failure: { reason: 'refused', detail: 'HTTP 401' } });
  receiver.state.secret = secret;
  expect(await call(`${base}/${made.destinationId}/test`, { method: 'POST' })).toEqual({ failure: null });
});

test('a receiver that is away loses nothing, and the page says what waits and why', async () => {
  const { receiver, made } = await webhook();
  receiver.state.status = 503;
  const wanted = await record(3);
  await expect
    .poll(async () => (await shown(made.destinationId))?.lastFailure, patience)
    .toEqual({ reason: 'refused', detail: 'HTTP 503' });
  const failing = await shown(made.destinationId);
  expect(failing).toMatchObject({ failingSince: expect.any(String), nextAttemptAt: expect.any(String) });
  expect(failing?.backlog).toBeGreaterThanOrEqual(3);
  receiver.state.status = 200;
  wanted.push(...(await record(3)));
  await expect.poll(() => subjectsOf(receiver.events(), wanted), patience).toEqual(wanted);
  await expect.poll(async () => (await shown(made.destinationId))?.failingSince, patience).toBeNull();
}, 240_000);

test('syslog over TLS counts octets, and a receiver with an unknown certificate gets nothing until its authority is named', async () => {
  const receiver = await startSyslogReceiver(certificate);
  onTestFinished(() => receiver.close());
  const body = { kind: 'syslog', name: 'Syslog', host: '127.0.0.1', port: receiver.port };
  const made = await create(body);
  const wanted = await record(120);
  await expect.poll(async () => (await shown(made.destinationId))?.lastFailure?.reason, patience).toBe('untrusted');
  expect(receiver.messages).toEqual([]);
  await call(`${base}/${made.destinationId}`, { method: 'PUT', body: { ...body, ca: certificate.ca } });
  const events = () =>
    receiver.messages.map((message) => JSON.parse(message.slice(message.indexOf('{'))) as { subjectId: string; subjectName: string });
  await expect.poll(() => subjectsOf(events(), wanted).length, patience).toBe(120);
  expect(subjectsOf(events(), wanted)).toEqual(wanted);
  expect(receiver.faults).toEqual([]);
  expect(receiver.messages.find((message) => message.includes(wanted[0] ?? ''))).toMatch(
    /^<109>1 \d{4}-\d\d-\d\dT[\d:.]+Z 127\.0\.0\.1 holdfast - tenants\.changed - \{[ -~]+\}$/,
  );
  expect(events().find(({ subjectId }) => subjectId === wanted[0])?.subjectName).toBe('Zürich – 株式会社');
}, 240_000);

const RSYSLOG = '/usr/sbin/rsyslogd';
const hasRsyslog =
  existsSync(RSYSLOG) && ['x86_64', 'aarch64'].some((name) => existsSync(`/usr/lib/${name}-linux-gnu/rsyslog/lmnsd_ossl.so`));

test.skipIf(!hasRsyslog)(
  'rsyslog takes the events over TLS (skipped without the packages rsyslog and rsyslog-openssl)',
  async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'holdfast-rsyslog-'));
    const port = await freePort();
    const file = path.join(folder, 'received.log');
    await Promise.all([
      writeFile(path.join(folder, 'ca.pem'), certificate.ca),
      writeFile(path.join(folder, 'cert.pem'), certificate.certificate),
      writeFile(path.join(folder, 'key.pem'), certificate.key),
      writeFile(path.join(folder, 'rsyslog.conf'), rsyslogFile(folder, file, port)),
    ]);
    const daemon = spawn(RSYSLOG, ['-n', '-f', path.join(folder, 'rsyslog.conf'), '-i', path.join(folder, 'pid')], { stdio: 'ignore' });
    onTestFinished(async () => {
      daemon.kill('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    });
    await create({ kind: 'syslog', name: 'rsyslog', host: '127.0.0.1', port, ca: certificate.ca });
    const wanted = await record(20);
    const received = async (): Promise<{ subjectId: string }[]> =>
      (await readFile(file, 'utf8').catch(() => ''))
        .split('\n')
        .filter((line) => line.endsWith('}'))
        .map((line) => JSON.parse(line.slice(line.indexOf('{'))) as { subjectId: string });
    await expect.poll(async () => subjectsOf(await received(), wanted), patience).toEqual(wanted);
  },
  240_000,
);

const rsyslogFile = (folder: string, file: string, port: number): string => `
global(workDirectory="${folder}" maxMessageSize="64k" defaultNetstreamDriver="ossl"
  defaultNetstreamDriverCAFile="${folder}/ca.pem" defaultNetstreamDriverCertFile="${folder}/cert.pem" defaultNetstreamDriverKeyFile="${folder}/key.pem")
module(load="imtcp" streamDriver.name="ossl" streamDriver.mode="1" streamDriver.authMode="anon")
input(type="imtcp" address="127.0.0.1" port="${port}")
*.* action(type="omfile" file="${file}")
`;

test('a file has a line for each event, and what a process left unfinished is written again', async () => {
  const made = await create({ kind: 'file', name: 'Collector' });
  const first = await record(2);
  const lines = async (): Promise<string[]> => {
    const names = await readdir(made.folder ?? '').catch((): string[] => []);
    const texts = await Promise.all(names.toSorted().map((name) => readFile(path.join(made.folder ?? '', name), 'utf8')));
    return texts.join('').split('\n').slice(0, -1);
  };
  const events = async () => (await lines()).map((line) => JSON.parse(line) as { subjectId: string });
  await expect.poll(async () => subjectsOf(await events(), first), patience).toEqual(first);
  const [name = ''] = (await readdir(made.folder ?? '')).toSorted().reverse();
  expect(name).toMatch(/^audit-\d{4}-\d\d-\d\d\.jsonl$/);
  await writeFile(path.join(made.folder ?? '', name), '{"sequence":9', { flag: 'a' });
  const wanted = [...first, ...(await record(2))];
  await expect.poll(async () => subjectsOf(await events().catch(() => []), wanted), patience).toEqual(wanted);
}, 240_000);

test('a destination for alarms gets alarms and nothing else', async () => {
  const { receiver } = await webhook({ feed: 'alarms' });
  await record(2);
  const alarms = await record(1, 'alarms.run');
  await record(1);
  const more = await record(1, 'alarms.run');
  await expect.poll(() => receiver.events().map(({ subjectId }) => subjectId), patience).toEqual([...alarms, ...more]);
}, 240_000);

test('a webhook for a channel gets alarms as signed messages in the language of the organisation, and can become one for events', async () => {
  const { receiver, made } = await webhook({ feed: 'alarms', form: 'slack' });
  expect(made.form).toBe('slack');
  expect(await call(`${base}/${made.destinationId}/test`, { method: 'POST' })).toEqual({ failure: null });
  expect(receiver.bodies[0]).toContain('This is a test.');
  await record(1, 'alarms.run');
  await expect.poll(() => receiver.bodies.length, patience).toBe(2);
  expect(JSON.parse(receiver.bodies[1] ?? '')).toEqual({ text: expect.stringContaining('Run failed or incomplete: Zürich – 株式会社') });
  const body = { kind: 'webhook', name: 'SIEM', url: receiver.url, ca: certificate.ca, feed: 'alarms', form: 'events' };
  await call(`${base}/${made.destinationId}`, { method: 'PUT', body });
  const subjects = await record(1, 'alarms.run');
  await expect.poll(() => receiver.events().map(({ subjectId }) => subjectId), patience).toEqual(subjects);
  expect(await refusal(base, { body: { ...body, form: 'discord' } })).toBe('400 request.invalid form');
}, 240_000);

test('a receiver in a private network is refused unless the operator allowed it, and is not dialled if its address leads there later', async () => {
  const strict = await testServer(testing, { roles: ['api'] });
  onTestFinished(() => strict.close());
  const send = async (body: object): Promise<number> =>
    (await strict.send(base, { token: owner.tokens.main, body: { name: 'Inside', ...body } })).status;
  for (const url of [
    'https://127.0.0.1/x',
    'https://[::1]/',
    'https://169.254.169.254/',
    'https://localhost/',
    'http://93.184.216.34/',
    'https://10.1.2.3/',
  ])
    expect([url, await send({ kind: 'webhook', url })]).toEqual([url, 400]);
  for (const host of ['127.0.0.1', '::1', 'localhost', '192.168.0.9'])
    expect([host, await send({ kind: 'syslog', host })]).toEqual([host, 400]);
  const receiver = await startWebhookReceiver(certificate);
  onTestFinished(() => receiver.close());
  const made = await create({ kind: 'webhook', name: 'Moved', url: 'https://127.0.0.1:9/x', ca: certificate.ca, isEnabled: false });
  for (const host of ['127.0.0.1', 'localhost']) {
    const url = receiver.url.replace('127.0.0.1', host);
    await testing.asSuperuser('update audit_destinations set target = $1 where destination_id = $2', [
      JSON.stringify({ url, ca: certificate.ca }),
      made.destinationId,
    ]);
    const tried = await strict.send(`${base}/${made.destinationId}/test`, { method: 'POST', token: owner.tokens.main });
    expect(await tried.json()).toEqual({ failure: { reason: 'hostRefused', detail: '' } });
  }
  expect([receiver.accepted, receiver.refused]).toEqual([[], []]);
});

test('bad input names its field, and a destination keeps its kind', async () => {
  const url = 'https://127.0.0.1:9/';
  expect(await refusal(base, { body: { kind: 'webhook', name: 'X', url, ca: 'no certificate' } })).toBe(
    '400 forwarding.certificate-invalid ca',
  );
  expect(await refusal(base, { body: { kind: 'webhook', name: '', url } })).toBe('400 request.invalid name');
  expect(await refusal(base, { body: { kind: 'syslog', name: 'X', host: 'a b' } })).toBe('400 request.invalid host');
  const { destinationId } = await create({ kind: 'file', name: 'X' });
  const put = { method: 'PUT', body: { kind: 'webhook', name: 'X', url } };
  expect(await refusal(`${base}/${destinationId}`, put)).toBe('400 forwarding.kind-stays kind');
});

test('only owners change destinations, auditors see them, and other organisations see nothing', async () => {
  const [administrator, auditor, stranger] = await Promise.all([
    server.member(owner.organisationId, 'administrator'),
    server.member(owner.organisationId, 'auditor'),
    server.owner(),
  ]);
  const { destinationId } = await create({ kind: 'file', name: 'Mine' });
  const body = { kind: 'file', name: 'Other' };
  for (const who of [administrator, auditor]) expect(await refusal(base, { body, who })).toBe('403 access-denied');
  expect(await refusal(base, { who: administrator })).toBe('403 access-denied');
  expect((await call<{ items: Destination[] }>(base, { who: auditor })).items.map(({ name }) => name)).toContain('Mine');
  expect((await call<{ items: Destination[] }>(base, { who: stranger })).items).toEqual([]);
  expect(await refusal(`${base}/${destinationId}`, { method: 'PUT', body, who: stranger })).toBe('404 not-found');
  expect(await refusal(`${base}?organisationId=${owner.organisationId}`, { who: stranger })).toBe('404 not-found');
  const events = await testing.asSuperuser(
    `select event from audit_events where subject_id = $1 union all select event from audit_inbox where subject_id = $1`,
    [destinationId],
  );
  expect(events).toEqual([{ event: 'forwarding.created' }]);
});
