import { randomBytes } from 'node:crypto';
import { basePaths } from '@holdfast/contract/limits';
import type { TestDatabase } from '@holdfast/database/testing/test-database';
import { aesKey } from '@holdfast/foundation/secrets';
import { createIds } from '@holdfast/foundation/ids';
import { silentLogger, type Logger } from '@holdfast/foundation/logger';
import { secureRandom } from '@holdfast/foundation/random';
import { createFakeClock, type FakeClock } from '@holdfast/foundation/testing/fake-clock';
import type { Database } from '@holdfast/database';
import { createHttpApp } from '../../../http/app.ts';
import type { HttpApp } from '../../../http/http-app.ts';
import { createKeysStore } from '../../../keys/keys.store.ts';
import { createMasterKeys } from '../../../keys/master-keys.ts';
import { createSealing, type Sealing } from '../../../keys/sealing.ts';
import type { Mail } from '../../../mail/mail.ts';
import { createMailQueue } from '../../../mail/mail-queue.ts';
import { createAuditInbox } from '../../audit/index.ts';
import { createAccessFeature, type AccessFeature } from '../../organisations/index.ts';
import { createOrganisationResolver } from '../../workers/index.ts';
import { createChoices } from '../choices.service.ts';
import { conformance, hardened, type IdentityOptions } from '../options.ts';
import { mountProbe } from './probe.ts';

/** Cheap hashes: the cost is not what these suites are about. */
export const cheapHash = { memoryKib: 8, passes: 1, lanes: 1 } as const;

export interface Sent {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH';
  readonly body?: unknown;
  readonly raw?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A main or staging token, sent as a bearer. */
  readonly bearer?: string;
  /** A legacy token, sent as it is. */
  readonly legacy?: string;
  readonly cookie?: string;
}

export interface Received {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>;
  readonly text: string;
  readonly json: Record<string, unknown>;
  readonly cookies: readonly string[];
}

/** The identity surfaces over a real database, with a clock, an outbox and options that a test controls. */
export interface IdentityApp {
  readonly clock: FakeClock;
  readonly access: AccessFeature;
  readonly http: HttpApp;
  readonly sealing: Sealing;
  readonly database: Database;
  readonly options: IdentityOptions;
  /** Sends a request from an address. */
  send(path: string, request?: Sent, address?: string): Promise<Received>;
  /** Every mail that has been sent since the start, after sending what waits. */
  mails(): Promise<Mail[]>;
  close(): Promise<void>;
}

export interface IdentityAppOptions {
  readonly profile?: 'conformance' | 'hardened';
  readonly override?: Partial<IdentityOptions>;
  readonly clock?: FakeClock;
  readonly hasMailTransport?: boolean;
  readonly sealing?: Sealing;
  readonly logger?: Logger;
  readonly isStrict?: boolean;
  readonly publicUrl?: string;
  readonly prepare?: (app: HttpApp, access: AccessFeature) => void;
}

const ids = createIds({ ...createFakeClock(), nowMs: () => Date.now() }, secureRandom);

/** One for the process: several applications of a file share a database. */
const masterKeys = createMasterKeys({ id: 'test', key: aesKey(randomBytes(32)) });

function headersOf(request: Sent, hasBody: boolean): Record<string, string> {
  return {
    ...(hasBody ? { 'content-type': 'application/json' } : {}),
    ...(request.bearer === undefined ? {} : { authorization: `Bearer ${request.bearer}` }),
    ...(request.legacy === undefined ? {} : { authorization: request.legacy }),
    ...(request.cookie === undefined ? {} : { cookie: request.cookie }),
    ...request.headers,
  };
}

export async function identityApp(test: Pick<TestDatabase, 'database'>, given: IdentityAppOptions = {}): Promise<IdentityApp> {
  const clock = given.clock ?? createFakeClock(Date.UTC(2026, 5, 1, 8));
  const { database } = test;
  const base = given.profile === 'hardened' ? hardened : conformance;
  const options: IdentityOptions = { ...base, hashCost: cheapHash, rateLimits: false, ...given.override };
  const sealing = given.sealing ?? createSealing({ masterKeys, store: createKeysStore(database), ids });
  const outbox: Mail[] = [];
  const logger = given.logger ?? silentLogger;
  const transport = { send: async (mail: Mail) => void outbox.push(mail) };
  const mail = createMailQueue({ database, sealing, transport, clock, ids, logger });
  const audit = createAuditInbox({ clock, ids });
  const choices = createChoices(database);
  const access = createAccessFeature({
    database,
    clock,
    ids,
    random: secureRandom,
    sealing,
    audit,
    mail,
    hasMailTransport: given.hasMailTransport ?? true,
    basePaths,
    publicUrl: () => given.publicUrl ?? 'http://127.0.0.1:8080',
    approverDays: 7,
    options,
    choices,
    logger,
  });
  const http = await createHttpApp({
    sessions: access.identity.sessions,
    organisations: createOrganisationResolver({ database, chosen: choices.chosen }),
    idempotency: {
      claim: async () => ({ state: 'fresh' }),
      finish: async () => undefined,
      release: async () => undefined,
    },
    clock,
    ids,
    logger,
    isStrict: given.isStrict ?? true,
  });
  given.prepare?.(http, access);
  access.mount?.(http);
  mountProbe(http, access.identity.sessions);
  await http.server.ready();
  return {
    clock,
    access,
    http,
    sealing,
    database,
    options,
    async send(path, request = {}, address = '127.0.0.1') {
      const hasBody = request.body !== undefined || request.raw !== undefined;
      const answer = await http.server.inject({
        method: request.method ?? (hasBody ? 'POST' : 'GET'),
        url: path,
        remoteAddress: address,
        headers: headersOf(request, hasBody),
        ...(hasBody ? { payload: request.raw ?? JSON.stringify(request.body) } : {}),
      });
      let json: Record<string, unknown> = {};
      if ((answer.headers['content-type'] ?? '').includes('json') && answer.body !== '') json = JSON.parse(answer.body);
      return {
        status: answer.statusCode,
        headers: answer.headers,
        text: answer.body,
        json,
        cookies: [answer.headers['set-cookie'] ?? []].flat(),
      };
    },
    async mails() {
      while ((await mail.sendDue()) > 0);
      return outbox;
    },
    async close() {
      access.identity.sessions.close();
      await http.server.close();
    },
  };
}
