import { createHash, createPrivateKey } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '@holdfast/foundation/errors';
import { type Logger, silentLogger } from '@holdfast/foundation/logger';
import { createAdmin } from './admin/admin-server.ts';
import { type Control, createControl } from './admin/control.ts';
import { createRequestLog } from './server/request-log.ts';
import { createJournaling } from './journaling/create-journaling.ts';
import { createSimulatorClock, type SimulatorClock } from './clock/simulator-clock.ts';
import { createFaults } from './faults/faults.ts';
import { createRouter } from './http/router.ts';
import { createLimiter } from './limits/limiter.ts';
import { addApp, type AppCredentials, credentialsOf, hasApp } from './login/add-app.ts';
import { createSessions } from './login/sessions.ts';
import { packagedPermissions } from './permissions/permissions.ts';
import type { Recipe } from './state/recipe.ts';
import { recipeNamed } from './recipes/recipes.ts';
import { createAppCertificate, createServerCertificate } from './server/certificates.ts';
import { createFront } from './server/front.ts';
import { createGate } from './server/create-gate.ts';
import { certificateNames } from './calls/hosts.ts';
import { listenHttp, listenHttps, listenProxy } from './server/listen.ts';
import { createPipeline } from './server/pipeline.ts';
import type { Simulation } from './server/simulation.ts';
import { createTenant, DEFAULT_EPOCH_MS } from './state/create-tenant.ts';
import { type KeptKeys, keepKeys, readTenants, writeTenant } from './server/keep.ts';
import type { Tenant } from './state/tenant.ts';
import { createValidator } from './validation/validator.ts';
import { workloads } from './workloads.ts';

export interface SimulatorOptions {
  /** Names of recipes, or recipes; `tiny` unless given. */
  readonly recipes?: readonly (string | Recipe)[];
  readonly seed?: number;
  readonly port?: number;
  readonly limits?: 'real' | 'off';
  readonly clock?: 'real' | 'virtual';
  /** Where a virtual clock stands at first. */
  readonly startMs?: number;
  /** Checks every response, and the body of every request, against the metadata; done unless refused. */
  readonly isValidating?: boolean;
  /** Where the state is kept over restarts; in memory alone unless given. */
  readonly dataFolder?: string;
  readonly logger?: Logger;
  /** Roles that are granted to the app of each tenant; all that the product can ask for unless given. */
  readonly roles?: readonly string[];
  /** Called for each tenant before it is served: to load a corpus, to change what was generated. */
  readonly prepare?: (tenant: Tenant) => Promise<void> | void;
}

/** How to sign in to one tenant. */
export interface TenantAccess extends AppCredentials {
  readonly tenantId: string;
  /** Private key and certificate, PEM. */
  readonly certificate: string;
}

/** A running simulator. */
export interface Simulator {
  /** Base addresses without a path; `/v1.0` and `/{tenant}/oauth2/v2.0/token` follow. */
  readonly graph: string;
  readonly login: string;
  /** For `HTTPS_PROXY`: the real host names then lead here. */
  readonly proxy: string;
  /** Calls below `/_simulator`. */
  readonly admin: string;
  /** File with the certificate of its authority, PEM; and the same as text. */
  readonly ca: string;
  readonly caPem: string;
  readonly tenants: readonly TenantAccess[];
  readonly clock: SimulatorClock;
  /** What the admin address does, for tests in this process. */
  readonly control: Control;
  readonly simulation: Simulation;
  close(): Promise<void>;
}

async function makeKeys(): Promise<KeptKeys> {
  const [server, app] = await Promise.all([createServerCertificate(certificateNames), createAppCertificate('Holdfast')]);
  return { server, app };
}

interface Seeded {
  readonly tenant: Tenant;
  readonly seed: number;
}

async function makeTenants(options: SimulatorOptions, clock: SimulatorClock): Promise<Seeded[]> {
  const folder = options.dataFolder === undefined ? {} : { dataFolder: options.dataFolder };
  const kept = options.dataFolder === undefined ? [] : await readTenants(options.dataFolder);
  if (kept.length > 0) {
    return kept.map(({ recipe, seed, epochMs, state }) => {
      const tenant = createTenant({ recipe, seed, epochMs, clock, ...folder });
      tenant.store.load(state);
      return { tenant, seed };
    });
  }
  const seed = options.seed ?? 1;
  const recipes = (options.recipes ?? ['tiny']).map((recipe) => (typeof recipe === 'string' ? recipeNamed(recipe) : recipe));
  const made = recipes.map((recipe) => ({ tenant: createTenant({ recipe, seed, clock, ...folder }), seed }));
  for (const { tenant } of made) await options.prepare?.(tenant);
  return made;
}

function makeSimulation(options: SimulatorOptions, clock: SimulatorClock, keys: KeptKeys, tenants: readonly Tenant[]): Simulation {
  const simulation: Simulation = {
    clock,
    tenants: new Map(tenants.map((tenant) => [tenant.tenantId, tenant])),
    router: createRouter(workloads.flatMap((workload) => workload.routes)),
    permissions: packagedPermissions(),
    signingKey: {
      privateKey: createPrivateKey(keys.app.key),
      keyId: createHash('sha256').update(keys.app.certificate).digest('base64url').slice(0, 27),
    },
    workloads,
    validator: options.isValidating === false ? undefined : createValidator(),
    logger: options.logger ?? silentLogger,
    limiter: createLimiter(clock, options.limits ?? 'real'),
    faults: createFaults(clock),
    log: createRequestLog(),
  };
  const unknown = simulation.permissions.unknownRoutes(simulation.router.routes);
  if (unknown.length > 0) throw new AppError('simulator.route-without-permissions', { details: { routes: unknown } });
  return simulation;
}

function enrolment(simulation: Simulation, keys: KeptKeys, granted?: readonly string[]): (tenant: Tenant) => TenantAccess {
  const roles = granted ?? [...new Set(Object.values(simulation.permissions.sets).flat())];
  return (tenant) => {
    // A tenant that was kept has its app, with the roles that were granted to it.
    const app = hasApp(tenant, 'Holdfast')
      ? credentialsOf(tenant, 'Holdfast')
      : addApp(tenant, 'Holdfast', { roles, certificates: [keys.app.certificate] });
    return { tenantId: tenant.tenantId, ...app, certificate: `${keys.app.key}${keys.app.certificate}` };
  };
}

/**
 * Starts a simulator on loopback and resolves when it answers. The caller ends it with `close()`, which also writes the
 * state when there is a folder for it.
 */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const clock = createSimulatorClock(options.clock ?? 'real', options.startMs ?? DEFAULT_EPOCH_MS);
  const { dataFolder } = options;
  const keys = dataFolder === undefined ? await makeKeys() : await keepKeys(dataFolder, makeKeys);
  const seeded = await makeTenants(options, clock);
  const simulation = makeSimulation(
    options,
    clock,
    keys,
    seeded.map(({ tenant }) => tenant),
  );
  const enrol = enrolment(simulation, keys, options.roles);
  const access = seeded.map(({ tenant }) => enrol(tenant));
  const sessions = createSessions({
    key: simulation.signingKey,
    tenants: simulation.tenants,
    closure: (roles) => simulation.permissions.closure(roles),
  });
  const gate = createGate(clock, simulation.limiter, simulation.faults);
  const front = createFront(simulation, createPipeline(simulation, { sessions, gate, log: simulation.log }));
  const control = createControl(simulation);
  const journaling = createJournaling();
  const https = await listenHttps(options.port ?? 0, { key: keys.server.key, cert: keys.server.certificate }, front);
  const [proxy, admin] = await Promise.all([
    listenProxy(0, https.port),
    listenHttp(0, createAdmin({ simulation, control, journaling, enrol })),
  ]);
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-simulator-'));
  const ca = join(folder, 'ca.pem');
  await writeFile(ca, keys.server.ca);
  const base = `https://127.0.0.1:${https.port}`;
  return {
    graph: base,
    login: base,
    proxy: `http://127.0.0.1:${proxy.port}`,
    admin: `http://127.0.0.1:${admin.port}/_simulator`,
    ca,
    caPem: keys.server.ca,
    tenants: access,
    clock,
    control,
    simulation,
    async close() {
      journaling.close();
      await Promise.all([https.close(), proxy.close(), admin.close()]);
      if (dataFolder !== undefined) for (const { tenant, seed } of seeded) await writeTenant(dataFolder, tenant, seed);
      for (const tenant of simulation.tenants.values()) tenant.received.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
