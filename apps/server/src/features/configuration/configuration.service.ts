import { defaultBackupSettings, type BackupConfig, type BackupSettings } from '@holdfast/contract/configuration';
import type { ConnectionReport, Tenant } from '@holdfast/contract/tenants';
import type { Database, Scope } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import type { Actor } from '../../access/actor.ts';
import type { AuditInbox } from '../audit/index.ts';
import type { Caller } from '../identity/index.ts';
import { actorEntry } from '../organisations/index.ts';
import { readTenant, type TenantGraphService, type TenantsService } from '../tenants/index.ts';
import {
  changeSettings,
  ensureConfiguration,
  noteConnection,
  noteSynchronised,
  readConfiguration,
  type ConfigurationRow,
} from './configuration.store.ts';

export interface ConfigurationParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly audit: AuditInbox;
  readonly tenants: TenantsService;
  readonly graph: TenantGraphService;
}

/** Who configures which tenant. */
export interface ConfigurationPlace {
  readonly actor: Actor;
  readonly scope: Scope;
  /** Undefined where the organisation has no active tenant. */
  readonly tenantId: string | undefined;
  readonly caller: Caller;
}

/** The configuration page: settings, users, permissions, the active tenant. */
export interface ConfigurationService {
  read(place: ConfigurationPlace): Promise<BackupConfig>;
  update(place: ConfigurationPlace, settings: BackupSettings, expectedVersion: number | undefined): Promise<BackupConfig>;
  synchroniseUsers(place: ConfigurationPlace): Promise<{ taskId: string }>;
  testConnection(place: ConfigurationPlace): Promise<ConnectionReport>;
  switchTenant(place: Omit<ConfigurationPlace, 'tenantId'>, tenantId: string): Promise<Tenant>;
  /** What a synchronisation found. */
  noteUsers(scope: Scope, tenantId: string, counts: { users: number; groups: number }): Promise<void>;
  settingsOf(scope: Scope, tenantId: string): Promise<BackupSettings>;
}

function chosenTenant(place: ConfigurationPlace): string {
  if (place.tenantId === undefined) throw new AppError('configuration.no-tenant');
  return place.tenantId;
}

type Configured = Omit<BackupConfig, 'tenantId' | 'tenantName'>;

/** A tenant that nobody has configured yet. */
const untouched: Configured = {
  settings: defaultBackupSettings,
  users: 0,
  groups: 0,
  usersSynchronisedAt: null,
  connection: null,
  version: 1,
};

function configured(row: ConfigurationRow): Configured {
  return {
    settings: row.settings as BackupSettings,
    users: row.users,
    groups: row.groups,
    usersSynchronisedAt: row.users_synchronised_at?.toISOString() ?? null,
    connection: row.connection as ConnectionReport | null,
    version: row.version,
  };
}

export function createConfigurationService(parts: ConfigurationParts): ConfigurationService {
  const { database, clock, audit, tenants, graph } = parts;

  async function read(place: ConfigurationPlace): Promise<BackupConfig> {
    const tenantId = chosenTenant(place);
    return database.within(place.scope, async (tx) => {
      const tenant = await readTenant(tx, tenantId);
      if (!tenant) throw new AppError('configuration.no-tenant');
      const named = { tenantId, tenantName: tenant.display_name || tenant.name };
      const row = await readConfiguration(tx, tenantId);
      return { ...named, ...(row ? configured(row) : untouched) };
    });
  }

  return Object.freeze<ConfigurationService>({
    read,
    async update(place, settings, expectedVersion) {
      const tenantId = chosenTenant(place);
      await database.within(place.scope, async (tx) => {
        const tenant = await readTenant(tx, tenantId);
        if (!tenant) throw new AppError('configuration.no-tenant');
        const row = await ensureConfiguration(tx, tenantId, defaultBackupSettings);
        if (expectedVersion !== undefined && expectedVersion !== row.version) throw new AppError('request.precondition-failed');
        await changeSettings(tx, tenantId, settings, row.version + 1);
        await audit.record(tx, {
          event: 'configuration.changed',
          actor: actorEntry(place.actor, place.caller),
          subject: { kind: 'tenant', id: tenantId, name: tenant.name },
        });
      });
      return read(place);
    },
    synchroniseUsers: (place) => tenants.startTask({ ...place, tenantId: chosenTenant(place) }, 'synchronise'),
    async testConnection(place) {
      const tenantId = chosenTenant(place);
      const report = await graph.report(place.scope, tenantId);
      await database.within(place.scope, async (tx) => {
        await ensureConfiguration(tx, tenantId, defaultBackupSettings);
        await noteConnection(tx, tenantId, report);
        const tenant = await readTenant(tx, tenantId);
        await audit.record(tx, {
          event: 'configuration.connection-tested',
          outcome: report.problem === null ? 'succeeded' : 'failed',
          actor: actorEntry(place.actor, place.caller),
          subject: { kind: 'tenant', id: tenantId, ...(tenant ? { name: tenant.name } : {}) },
        });
      });
      return report;
    },
    async switchTenant(place, tenantId) {
      return tenants.activate({ ...place, tenantId });
    },
    async noteUsers(scope, tenantId, counts) {
      await database.within(scope, async (tx) => {
        await ensureConfiguration(tx, tenantId, defaultBackupSettings);
        await noteSynchronised(tx, tenantId, { ...counts, at: now(clock) });
      });
    },
    async settingsOf(scope, tenantId) {
      const row = await database.within(scope, (tx) => readConfiguration(tx, tenantId));
      return (row?.settings as BackupSettings | undefined) ?? defaultBackupSettings;
    },
  });
}
