import { AppError } from '@holdfast/foundation/errors';
import { randomOf } from '../values/seeded.ts';
import { expireDeltaTokens } from '../delta/delta-page.ts';
import { isJsonObject, type JsonObject, type JsonValue, textOf } from '../values/json.ts';
import { appsOf, type App } from '../login/apps.ts';
import type { Simulation } from '../server/simulation.ts';
import { switchesOf } from '../state/create-tenant.ts';
import { defaultSwitches, type Switches } from '../state/switches.ts';
import type { Tenant } from '../state/tenant.ts';
import type { TruthProvider, TruthRecord } from '../state/truth.ts';

/** What tests and tools do to a simulator from outside Graph: the same in this process and over the admin address. */
export interface Control {
  tenant(id: string): Tenant;
  /** Runs one activity of people: `{"do":"mail.deliver",…}`. */
  change(tenantId: string, input: JsonObject): JsonObject;
  /** A day of work in every workload; the same number makes the same day. */
  playDay(tenantId: string, day: number): Readonly<Record<string, number>>;
  truth(tenantId: string, kind: string, owner: string, at?: number): Iterable<TruthRecord> | AsyncIterable<TruthRecord>;
  owners(tenantId: string, kind: string): { readonly owner: string; readonly changes: number }[];
  readonly truthKinds: readonly string[];
  setSwitches(change: Partial<Switches>, tenantId?: string): void;
  setFaults(rules: readonly JsonValue[]): void;
  grant(tenantId: string, roles: readonly string[], appId?: string): void;
  withdraw(tenantId: string, roles: readonly string[], appId?: string): void;
  changeApp(tenantId: string, change: Partial<App>, appId?: string): void;
  /** Delta tokens of the tenant are too old from now on. */
  expireDeltaTokens(tenantId: string): void;
  /** Access tokens that were issued so far are refused. */
  revokeTokens(tenantId: string): void;
  /** Keeps the state of all tenants; returns its id. */
  snapshot(): string;
  restore(id: string): void;
  violations(): JsonObject;
}

function refuse(message: string, details: Record<string, string> = {}): never {
  throw new AppError('simulator.bad-request', { message, details });
}

function providerOf(simulation: Simulation, kind: string): TruthProvider {
  const found = simulation.workloads.flatMap((workload) => workload.truth).find((provider) => provider.kind === kind);
  return found ?? refuse(`there is no truth of ${kind}`);
}

function appOf(tenant: Tenant, appId: string | undefined): App {
  const apps = appsOf(tenant.store);
  const app = appId === undefined ? apps.values().next().value : apps.get(appId);
  return app ?? refuse(`there is no app ${appId ?? ''}`);
}

function putApp(tenant: Tenant, app: App): void {
  appsOf(tenant.store).set(app.appId, app);
}

function checkSwitches(change: Partial<Switches>): void {
  for (const [name, value] of Object.entries(change)) {
    if (!(name in defaultSwitches)) refuse(`there is no switch ${name}`);
    if (typeof value !== typeof defaultSwitches[name as keyof Switches])
      refuse(`the switch ${name} takes a ${typeof defaultSwitches[name as keyof Switches]}`);
  }
}

/** The control of a running simulation. */
export function createControl(simulation: Simulation): Control {
  const snapshots = new Map<string, { readonly nowMs: number; readonly tenants: ReadonlyMap<string, Buffer> }>();

  function tenant(id: string): Tenant {
    return simulation.tenants.get(id) ?? refuse(`there is no tenant ${id}`);
  }

  return Object.freeze({
    tenant,
    change(tenantId: string, input: JsonObject) {
      const name = input['do'];
      const activity = simulation.workloads.flatMap((workload) => workload.activities).find((entry) => entry.name === name);
      if (!activity) return refuse(`there is no activity ${textOf(name)}`);
      return activity.run(tenant(tenantId), input);
    },
    playDay(tenantId: string, day: number) {
      const target = tenant(tenantId);
      const done: Record<string, number> = {};
      for (const workload of simulation.workloads) {
        const random = randomOf({ seed: target.seed, kind: 'day', owner: workload.name, index: day });
        Object.assign(done, workload.playDay?.(target, random));
      }
      return done;
    },
    truth: (tenantId: string, kind: string, owner: string, at?: number) =>
      providerOf(simulation, kind).records(tenant(tenantId), owner, at),
    owners(tenantId: string, kind: string) {
      const provider = providerOf(simulation, kind);
      const target = tenant(tenantId);
      return [...provider.owners(target)].map((owner) => ({ owner, changes: provider.changeCount(target, owner) }));
    },
    get truthKinds() {
      return simulation.workloads.flatMap((workload) => workload.truth).map((provider) => provider.kind);
    },
    setSwitches(change: Partial<Switches>, tenantId?: string) {
      checkSwitches(change);
      for (const target of tenantId === undefined ? simulation.tenants.values() : [tenant(tenantId)]) {
        const state = switchesOf(target);
        state.value = { ...state.value, ...change };
      }
    },
    setFaults: (rules: readonly JsonValue[]) => simulation.faults.set(rules),
    grant(tenantId: string, roles: readonly string[], appId?: string) {
      const app = appOf(tenant(tenantId), appId);
      putApp(tenant(tenantId), { ...app, roles: [...new Set([...app.roles, ...roles])] });
    },
    withdraw(tenantId: string, roles: readonly string[], appId?: string) {
      const app = appOf(tenant(tenantId), appId);
      putApp(tenant(tenantId), { ...app, roles: app.roles.filter((role) => !roles.includes(role)) });
    },
    changeApp(tenantId: string, change: Partial<App>, appId?: string) {
      putApp(tenant(tenantId), { ...appOf(tenant(tenantId), appId), ...change });
    },
    expireDeltaTokens: (tenantId: string) => expireDeltaTokens(tenant(tenantId)),
    revokeTokens(tenantId: string) {
      for (const app of Array.from(appsOf(tenant(tenantId).store).values()))
        putApp(tenant(tenantId), { ...app, revocations: app.revocations + 1 });
    },
    snapshot() {
      const id = String(snapshots.size + 1);
      const saved = new Map([...simulation.tenants].map(([tenantId, target]) => [tenantId, target.store.save()]));
      snapshots.set(id, { nowMs: simulation.clock.nowMs(), tenants: saved });
      return id;
    },
    restore(id: string) {
      const snapshot = snapshots.get(id) ?? refuse(`there is no snapshot ${id}`);
      for (const [tenantId, saved] of snapshot.tenants) simulation.tenants.get(tenantId)?.store.load(saved);
      if (simulation.clock.isVirtual) simulation.clock.setNow(snapshot.nowMs);
    },
    violations() {
      const { validator, limiter, log } = simulation;
      return {
        checked: validator?.checked ?? 0,
        csdl: (validator?.violations ?? []).map((violation) => ({ ...violation })),
        early: limiter.early.map((early) => ({ ...early })),
        strayTokens: log.strayTokens,
        peaks: Object.fromEntries(limiter.peaks),
      };
    },
  });
}

/** Input of the admin address as an object. */
export function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : refuse('the body must be a JSON object');
}
