import { testDatabase } from '@holdfast/database/testing/test-database';
import type { Simulator } from '@holdfast/m365-simulator';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keyFromBase32 } from '../features/identity/testing/reading.ts';
import { totpCode } from '../features/identity/totp.ts';
import { createFuzzer, type Fuzzer, type Parameter, type Schema } from '../testing/api-fuzzer.ts';
import { startSimulatedServer, type SimulatedServer } from '../testing/simulated-server.ts';
import { connectSimulated, everyone, unscheduled, type SimulatedTenant } from '../testing/simulated-tenant.ts';
import { testPassword, type SignedIn, type TestServer } from '../testing/test-server.ts';

/**
 * Secrets are planted in everything that keeps or takes them; then every call of the OpenAPI document is made, with real
 * ids, with bodies that fit and with bodies that do not, and no answer may hold one of them.
 */
const testing = testDatabase(import.meta.url);
const SEED = 7;
const TURNS = 4;
/** What everybody may see: that it is found proves that the walk comes to where the secrets are. */
const SEEN = 'Seen-Canary Ltd';
/** Fields of requests that hold a secret. */
const SECRET_FIELD = /password|secret|certificate|token|code$|key$/i;

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

let folder = '';
let simulator: Simulator;
let running: SimulatedServer;
let server: TestServer;
let owner: SignedIn;
let tenant: SimulatedTenant;
let operations: Operation[] = [];
const secrets = new Set<string>();
const ids: Record<string, string> = {};

/** Notes a secret, and each line of one that has several. */
function plant(secret: string): string {
  const parts = secret.split('\n').filter((line) => line.length > 8 && !line.startsWith('-----'));
  for (const part of parts) secrets.add(part);
  return secret;
}

async function told<Answer>(to: string, body?: object, token = owner.tokens.main): Promise<Answer> {
  const answer = await server.send(to, { token, ...(body === undefined ? {} : { body }) });
  if (!answer.ok) throw new Error(`${to} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Answer;
}

/** A member with a second factor, whose key and recovery codes nobody else is ever shown. */
async function plantMember(organisationId: Parameters<TestServer['member']>[0]): Promise<void> {
  const member = await server.member(organisationId, 'administrator');
  const { sharedKey } = await told<{ sharedKey: string }>('/apollo/manage/2fa', {}, member.tokens.main);
  const twoFactorCode = totpCode(keyFromBase32(plant(sharedKey)), Date.now());
  const on = await told<{ recoveryCodes: string[] }>('/apollo/manage/2fa', { enable: true, twoFactorCode }, member.tokens.main);
  [...on.recoveryCodes, ...Object.values(member.tokens)].forEach(plant);
  ids['userId'] = member.accountId;
}

async function plantTenant(): Promise<void> {
  tenant = await connectSimulated({ server, owner, simulator, testing, vault: path.join(folder, 'vault') });
  const [access] = simulator.tenants;
  plant(access?.clientSecret ?? '');
  const renamed = await server.send(`/apollo/api/Tenants/${tenant.tenantId}`, {
    method: 'PUT',
    token: owner.tokens.main,
    body: { displayName: SEEN, certificate: plant(access?.certificate ?? '') },
  });
  expect(await renamed.json()).toMatchObject({ displayName: SEEN, credential: 'certificate' });
  ids['jobId'] = await tenant.job({
    name: 'Mail',
    type: 'backup',
    workload: 'exchange',
    source: everyone,
    locationId: tenant.locationId,
    schedule: unscheduled,
  });
  const { run_id: runId } = await tenant.finish(ids['jobId']);
  Object.assign(ids, { tenantId: tenant.tenantId, locationId: tenant.locationId, runId, reportId: runId, taskId: runId });
}

async function plantWorker(): Promise<void> {
  const made = () => told<{ token: string }>('/apollo/api/workers/join-tokens', {});
  plant((await made()).token);
  const join = { joinToken: plant((await made()).token), name: 'Second', ip: '192.0.2.10', indexIp: '192.0.2.10', version: '0.1.0' };
  const { workerId, heartbeatToken } = await told<{ workerId: string; heartbeatToken: string }>('/apollo/api/workers/join', join);
  plant(heartbeatToken);
  Object.assign(ids, { workerId, workerIp: join.ip, indexIp: join.ip });
}

beforeAll(async () => {
  running = await startSimulatedServer(testing);
  ({ simulator, server, folder } = running);
  const found = await server.owner();
  owner = found;
  [testPassword, ...Object.values(owner.tokens)].forEach(plant);
  await plantMember(found.organisationId);
  await plantTenant();
  await plantWorker();
  const document = (await (await server.send('/apollo/openapi.json')).json()) as { paths: Record<string, Record<string, Operation>> };
  operations = Object.entries(document.paths).flatMap(([at, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, path: at, method: method.toUpperCase() })),
  );
}, 180_000);
afterAll(() => running.close());

/** The same body, with a planted secret wherever one belongs. */
function armed(value: unknown, turn: number): unknown {
  if (Array.isArray(value)) return value.map((one) => armed(one, turn));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) =>
      SECRET_FIELD.test(name) && typeof one === 'string' ? [name, plant(`Canary-${name}-${turn}-!x7`)] : [name, armed(one, turn)],
    ),
  );
}

/** What ends sign-ins comes last: with it the walk would lose its own. */
const rank = ({ method, path: at }: Operation): number =>
  /logout|sessions|manage\/info/.test(at) ? 3 : ['GET', 'POST', 'PUT', 'DELETE'].indexOf(method);

/** The address of a call with real ids. Nothing that holds a secret is deleted before it was looked at. */
function addressOf(fuzzer: Fuzzer, { method, path: template, parameters }: Operation): string {
  const real = method === 'DELETE' ? {} : ids;
  const valueOf = ({ name, schema }: Parameter): string =>
    encodeURIComponent(String(real[name] ?? fuzzer.value(schema)).toWellFormed()) || 'x';
  const filled = parameters
    .filter((one) => one.in === 'path')
    .reduce((address, one) => address.replace(`{${one.name}}`, valueOf(one)), template);
  const query = parameters.filter((one) => one.in === 'query' && one.required).map((one) => `${one.name}=${valueOf(one)}`);
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`;
}

/** Makes a call and answers all that came back, headers included. */
async function ask(fuzzer: Fuzzer, operation: Operation, turn: number): Promise<{ status: number; all: string }> {
  const isLegacy = operation.path.startsWith('/api/');
  const schema = operation.requestBody?.content['application/json']?.schema;
  const fitting = schema && armed(fuzzer.value(schema), turn);
  const answer = await server.send(addressOf(fuzzer, operation), {
    method: operation.method,
    token: isLegacy ? owner.tokens.legacy : owner.tokens.main,
    audience: isLegacy ? 'legacy' : 'main',
    ...(schema && {
      raw: JSON.stringify(turn % 2 === 0 ? fitting : fuzzer.spoilt(fitting)),
      headers: { 'content-type': 'application/json' },
    }),
  });
  const headers = [...answer.headers].flat().join('\n');
  if (headers.includes('text/event-stream')) {
    await answer.body?.cancel();
    return { status: answer.status, all: headers };
  }
  return { status: answer.status, all: `${headers}\n${Buffer.from(await answer.arrayBuffer()).toString('latin1')}` };
}

const fuzzer = createFuzzer(SEED);
const succeeded = new Set<Operation>();
let wasSeen = false;

/** Makes calls in a random but repeatable way, those that end sign-ins last, and names what gave a secret away. */
async function walk(asked: readonly Operation[]): Promise<string[]> {
  const found = new Set<string>();
  const turns = Array.from({ length: TURNS }, (_, turn) => asked.map((operation) => ({ operation, turn }))).flat();
  for (const { operation, turn } of turns.toSorted((one, other) => rank(one.operation) - rank(other.operation))) {
    const { status, all } = await ask(fuzzer, operation, turn);
    for (const secret of secrets) if (all.includes(secret)) found.add(`${operation.method} ${operation.path}: ${secret.slice(0, 40)}`);
    wasSeen ||= all.includes(SEEN);
    if (status < 300) succeeded.add(operation);
  }
  process.stdout.write(
    `canaries: ${secrets.size} secrets planted, ${turns.length} answers of ${asked.length} calls searched, ${found.size} found; ${succeeded.size} calls have succeeded\n`,
  );
  return [...found];
}

const isReading = (operation: Operation): boolean => rank(operation) === 0;

test('no answer of a call that reads holds a secret that was planted', { timeout: 120_000 }, async () => {
  expect(await walk(operations.filter(isReading))).toEqual([]);
  expect(wasSeen).toBe(true);
});

test('nor does one of a call that changes something, with a secret in each field that takes one', { timeout: 120_000 }, async () => {
  expect(await walk(operations.filter((operation) => !isReading(operation)))).toEqual([]);
  expect(succeeded.size).toBeGreaterThan(operations.length / 3);
});
