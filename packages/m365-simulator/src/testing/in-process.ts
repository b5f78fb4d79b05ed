import { generateKeyPairSync } from 'node:crypto';
import { silentLogger } from '@holdfast/foundation/logger';
import { collect } from '@holdfast/foundation/streams';
import { createRequestLog } from '../server/request-log.ts';
import { expireDeltaTokens } from '../delta/delta-page.ts';
import { createFaults } from '../faults/faults.ts';
import { createLimiter } from '../limits/limiter.ts';
import type { Gate } from '../calls/gate.ts';
import { createSimulatorClock, type SimulatorClock } from '../clock/simulator-clock.ts';
import type { JsonObject, JsonValue } from '../values/json.ts';
import { jsonBytes, type Reply } from '../http/reply.ts';
import type { Effect } from '../http/route.ts';
import { createRouter } from '../http/router.ts';
import type { Sessions } from '../login/sessions.ts';
import { packagedPermissions } from '../permissions/permissions.ts';
import type { Recipe } from '../state/recipe.ts';
import { recipeNamed } from '../recipes/recipes.ts';
import { readAddress } from '../calls/hosts.ts';
import { createPipeline } from '../server/pipeline.ts';
import type { Simulation } from '../server/simulation.ts';
import { createTenant, DEFAULT_EPOCH_MS, switchesOf } from '../state/create-tenant.ts';
import type { Switches } from '../state/switches.ts';
import type { Tenant } from '../state/tenant.ts';
import type { Workload } from '../http/workload.ts';
import { createValidator, type Validator } from '../validation/validator.ts';

/** An answer, as a test looks at it. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly json: Readonly<Record<string, JsonValue>>;
  readonly bytes: Buffer;
}

export interface AskOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: JsonObject | Buffer | string;
}

/** A simulator without network: requests go through the whole pipeline, and every answer is held against the metadata. */
export interface InProcess {
  readonly tenant: Tenant;
  readonly clock: SimulatorClock;
  readonly validator: Validator;
  /** Path below `/v1.0`, or a whole address as it stands in a link. */
  ask(method: string, address: string, options?: AskOptions): Promise<Answer>;
  get(address: string, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** All entries of a list or delta, page by page, and the deltaLink at the end. */
  all(
    address: string,
    headers?: Readonly<Record<string, string>>,
  ): Promise<{ entries: JsonObject[]; pages: number; deltaLink: string | undefined }>;
  /** Throws unless every answer so far was valid against the metadata. */
  requireValid(): void;
  /** Puts the knobs of the tenant. */
  set(switches: Partial<Switches>): void;
  /** All delta tokens are too old from now on. */
  expireDeltaTokens(): void;
  /** What scripted faults ask of every handler from now on. */
  readonly effects: Set<Effect>;
  /** Runs an activity of the workloads. */
  act(name: string, input: JsonObject): JsonObject;
  /** The ground truth of one owner. */
  truth(kind: string, owner: string, at?: number): Promise<TruthLine[]>;
}

export interface TruthLine {
  readonly path: string;
  readonly id: string;
  readonly kind: string;
  readonly sha256?: string;
  readonly metadata: JsonObject;
}

export interface InProcessOptions {
  readonly workloads: readonly Workload[];
  readonly recipe?: string | Recipe;
  readonly seed?: number;
  /** All that the product asks for unless given. */
  readonly roles?: readonly string[];
}

const LARGEST_BYTES = 1024 ** 3;

async function readReply(reply: Reply): Promise<Answer> {
  const body = reply.body?.bytes;
  const bytes = body === undefined ? Buffer.alloc(0) : body instanceof Uint8Array ? Buffer.from(body) : await collect(body, LARGEST_BYTES);
  const text = jsonBytes(reply.json ?? {}).toString();
  return { status: reply.status, headers: reply.headers ?? {}, json: JSON.parse(text) as Record<string, JsonValue>, bytes };
}

async function* streamOf(body: Buffer): AsyncGenerator<Uint8Array, void, undefined> {
  if (body.byteLength > 0) yield body;
}

function bodyOf(body: AskOptions['body']): Buffer {
  if (body === undefined) return Buffer.alloc(0);
  return Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

/** Starts one for a test. The clock is virtual and stands where the seed ends, plus a day. */
export function createInProcess(options: InProcessOptions): InProcess {
  const { workloads, recipe = 'tiny' } = options;
  const clock = createSimulatorClock('virtual', DEFAULT_EPOCH_MS + 86_400_000);
  const tenant = createTenant({ recipe: typeof recipe === 'string' ? recipeNamed(recipe) : recipe, seed: options.seed ?? 1, clock });
  const permissions = packagedPermissions();
  const validator = createValidator();
  const effects = new Set<Effect>();
  const simulation: Simulation = {
    clock,
    tenants: new Map([[tenant.tenantId, tenant]]),
    router: createRouter(workloads.flatMap((workload) => workload.routes)),
    permissions,
    signingKey: { privateKey: generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey, keyId: 'test' },
    workloads,
    validator,
    logger: silentLogger,
    limiter: createLimiter(clock, 'off'),
    faults: createFaults(clock),
    log: createRequestLog(),
  };
  const roles = permissions.closure(options.roles ?? Object.values(permissions.sets).flat());
  const sessions: Sessions = {
    open: (token) => ({
      tenant,
      appId: token === 'test' ? 'app-one' : token,
      roles,
      expiresMs: Number.MAX_SAFE_INTEGER,
      revocations: 0,
      isForGraph: true,
    }),
  };
  const gate: Gate = { admit: () => ({ headers: undefined, leave: () => undefined }), disturb: (_admission, handle) => handle(effects) };
  const pipeline = createPipeline(simulation, { sessions, gate, log: simulation.log });
  let count = 0;

  async function ask(method: string, address: string, { headers = {}, body }: AskOptions = {}): Promise<Answer> {
    const url = new URL(address.startsWith('https://') ? address : `https://graph.microsoft.com/v1.0${address}`);
    const data = bodyOf(body);
    const isJson = body !== undefined && !Buffer.isBuffer(body);
    count += 1;
    const reply = await pipeline.handle({
      method,
      address: readAddress(url.host, `${url.pathname}${url.search}`),
      headers: {
        authorization: 'Bearer test',
        'content-length': String(data.byteLength),
        ...(isJson ? { 'content-type': 'application/json' } : {}),
        ...headers,
      },
      stream: streamOf(data),
      requestId: `request-${count}`,
      isBatched: false,
    });
    return readReply(reply);
  }

  return {
    tenant,
    clock,
    validator,
    ask,
    get: (address, headers) => ask('GET', address, headers ? { headers } : {}),
    async all(address, headers) {
      const entries: JsonObject[] = [];
      for (let next = address, pages = 1; ; pages += 1) {
        const { status, json } = await ask('GET', next, headers ? { headers } : {});
        if (status !== 200) throw new Error(`${next} answered ${status}: ${JSON.stringify(json)}`);
        entries.push(...(json['value'] as unknown as JsonObject[]));
        const link = json['@odata.nextLink'];
        if (typeof link !== 'string') return { entries, pages, deltaLink: json['@odata.deltaLink'] as string | undefined };
        next = link;
      }
    },
    requireValid() {
      if (validator.violations.length > 0)
        throw new Error(`Answers contradict the metadata: ${JSON.stringify(validator.violations, null, 1)}`);
    },
    set(switches) {
      const state = switchesOf(tenant);
      state.value = { ...state.value, ...switches };
    },
    expireDeltaTokens: () => expireDeltaTokens(tenant),
    effects,
    act(name, input) {
      const activity = workloads.flatMap((workload) => workload.activities).find((entry) => entry.name === name);
      if (!activity) throw new Error(`There is no activity called ${name}.`);
      return activity.run(tenant, input);
    },
    async truth(kind, owner, at) {
      const provider = workloads.flatMap((workload) => workload.truth).find((entry) => entry.kind === kind);
      if (!provider) throw new Error(`There is no ground truth of ${kind}.`);
      const lines: TruthLine[] = [];
      for await (const record of provider.records(tenant, owner, at)) lines.push(record);
      return lines;
    },
  };
}
