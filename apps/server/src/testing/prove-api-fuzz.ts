import type { TestDatabase } from '@holdfast/database/testing/test-database';
import { expect } from 'vitest';
import { z } from 'zod';
import { createFuzzer, type Fuzzer, type Parameter, type Schema } from './api-fuzzer.ts';
import { aTenantRow, testIds } from './rows.ts';
import { testServer, type SignedIn, type TestServer } from './test-server.ts';

const AT_ONCE = 8;
const JSON_TYPE = 'application/json; charset=utf-8';
/** What an answer must never hold; a statement as we write them, not a sentence that asks to select something. */
const INSIDE =
  /node_modules|\n\s+at |select (?:distinct |count\(|\*|").* from |syntax error at or near|violates .+ constraint|ECONNREFUSED/i;

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly tags: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>>;
}

/** Who asks whom. */
interface Fuzzing {
  readonly testing: TestDatabase;
  readonly server: TestServer;
  readonly fuzzer: Fuzzer;
  who: SignedIn;
  tenantId: string;
  coming: Promise<void> | undefined;
}

/** Somebody new, with a tenant that knows nobody. */
async function begin({ server, testing }: Pick<Fuzzing, 'server' | 'testing'>): Promise<Pick<Fuzzing, 'who' | 'tenantId'>> {
  const who = await server.owner();
  const tenantId = testIds.uuid();
  await testing.database.within({ organisationId: who.organisationId, realm: 'production' }, (tx) =>
    tx
      .insertInto('tenants')
      .values(aTenantRow({ tenant_id: tenantId, name: 'Contoso', status: 'connected' }))
      .execute(),
  );
  return { who, tenantId };
}

async function operationsOf(server: TestServer): Promise<Operation[]> {
  const document = (await (await server.send('/apollo/openapi.json')).json()) as { paths: Record<string, Record<string, Operation>> };
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, path, method: method.toUpperCase() })),
  );
}

interface Asked {
  readonly path: string;
  readonly method: string;
  readonly body: string | undefined;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** `encodeURIComponent` refuses half a character; a client that is broken does not. */
function encoded(value: unknown): string {
  return encodeURIComponent(textOf(value).toWellFormed().slice(0, 2_000));
}

function requestOf({ fuzzer, tenantId }: Fuzzing, operation: Operation): Asked {
  const isGood = fuzzer.chance(3);
  const some = (schema: Schema): unknown => (isGood || !fuzzer.chance(4) ? fuzzer.value(schema) : fuzzer.naughty());
  let path = operation.path;
  for (const { name, schema } of operation.parameters.filter((parameter) => parameter.in === 'path')) {
    const value = name === 'tenantId' && !fuzzer.chance(10) ? tenantId : some(schema);
    path = path.replace(`{${name}}`, encoded(value) || '%20');
  }
  const query = operation.parameters
    .filter((parameter) => parameter.in === 'query' && (parameter.required || fuzzer.chance(2)))
    .map(({ name, schema }) => `${name}=${encoded(some(schema))}`);
  const schema = operation.requestBody?.content['application/json']?.schema;
  const body = schema && (isGood ? fuzzer.value(schema) : fuzzer.spoilt(fuzzer.value(schema)));
  const text = schema && (fuzzer.chance(25) ? '{"cut off": [' : JSON.stringify(body));
  return { path: query.length > 0 ? `${path}?${query.join('&')}` : path, method: operation.method, body: text };
}

function tokenOf({ who }: Fuzzing, { path }: Operation): string {
  return path.startsWith('/api/') ? who.tokens.legacy : `Bearer ${who.tokens.main}`;
}

const validators = new Map<Schema, z.ZodType>();
function fits(schema: Schema, value: unknown): boolean {
  const validator = validators.get(schema) ?? z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
  validators.set(schema, validator);
  return validator.safeParse(value).success;
}

interface Answered {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** A refusal is a problem document; the calls of upstream's identity API may say nothing at all. */
function isRefusal({ tags }: Operation, { type, text }: Answered): boolean {
  return (type.startsWith('application/problem+json') && text.includes('"status"')) || (text === '' && tags.includes('identity'));
}

function isAsDeclared(operation: Operation, { status, type, text }: Answered): boolean {
  const schema = operation.responses[String(status)]?.content?.['application/json']?.schema;
  return !schema || type !== JSON_TYPE || fits(schema, JSON.parse(text));
}

/** What is wrong with an answer; undefined when nothing is. */
function faultOf(operation: Operation, answer: Answered): string | undefined {
  const { status, text } = answer;
  const isDeclared = operation.responses[String(status)] !== undefined;
  const told = `${status} ${answer.type} ${text.slice(0, 200)}`;
  if (status >= 500 && !isDeclared) return told;
  if (INSIDE.test(text)) return `tells of the inside: ${told}`;
  if (status >= 400) return isRefusal(operation, answer) ? undefined : `is no problem document: ${told}`;
  if (!isDeclared) return `is not in the document: ${told}`;
  return isAsDeclared(operation, answer) ? undefined : `is not as the document says: ${told}`;
}

/** Several requests find at once that nobody is signed in: one sign-in is for all of them. */
function somebodyNew(fuzzing: Fuzzing): Promise<void> {
  const come = async (): Promise<void> => {
    Object.assign(fuzzing, await begin(fuzzing));
    fuzzing.coming = undefined;
  };
  return (fuzzing.coming ??= come());
}

async function ask(fuzzing: Fuzzing, operation: Operation, faults: Set<string>): Promise<number> {
  const asked = requestOf(fuzzing, operation);
  const answer = await fuzzing.server.send(asked.path, {
    method: asked.method,
    headers: { authorization: tokenOf(fuzzing, operation), ...(asked.body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(asked.body === undefined ? {} : { raw: asked.body }),
  });
  const type = answer.headers.get('content-type') ?? '';
  if (type.startsWith('text/event-stream')) {
    await answer.body?.cancel();
    return answer.status;
  }
  const text = await answer.text();
  const fault = faultOf(operation, { status: answer.status, type, text });
  if (fault !== undefined)
    faults.add(`${operation.method} ${operation.path}: ${fault} <- ${asked.path.slice(0, 150)} ${(asked.body ?? '').slice(0, 300)}`);
  else if (answer.status < 300 && type === JSON_TYPE) fuzzing.fuzzer.learn(JSON.parse(text));
  // Signed out by what was asked: somebody new goes on.
  if (answer.status === 401 && !operation.tags.includes('identity')) await somebodyNew(fuzzing);
  return answer.status;
}

/**
 * Every call of the OpenAPI document, as the server itself hands it out, with what fits, with one thing
 * wrong, and with what is naughty. No answer may be a 5xx that is not declared, none may tell of the
 * inside, and each must be what the document says.
 */
export async function proveApiFuzz(testing: TestDatabase, { seed, requests }: { seed: number; requests: number }): Promise<void> {
  // Nothing listens there: what would ask Microsoft is refused at once, as in a network without a way out.
  const nowhere = 'http://127.0.0.1:9';
  const server = await testServer(testing, { settings: { HOLDFAST_GRAPH_URL: nowhere, HOLDFAST_LOGIN_URL: nowhere } });
  try {
    const fuzzing: Fuzzing = { testing, server, fuzzer: createFuzzer(seed), coming: undefined, ...(await begin({ server, testing })) };
    const operations = await operationsOf(server);
    const faults = new Set<string>();
    const statuses = new Map<number, number>();
    let turn = 0;
    const worker = async (): Promise<void> => {
      while (turn < requests) {
        const operation = operations[turn++ % operations.length];
        if (!operation) break;
        const status = await ask(fuzzing, operation, faults);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    process.stdout.write(`api fuzz: ${turn} requests over ${operations.length} calls, ${JSON.stringify(Object.fromEntries(statuses))}\n`);
    expect([...faults]).toEqual([]);
    expect(operations.length).toBeGreaterThan(100);
    expect(statuses.get(200)).toBeGreaterThan(requests / 20);
  } finally {
    await server.close();
  }
}
