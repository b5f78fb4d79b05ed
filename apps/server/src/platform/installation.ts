import { migrate, noteVersion, openDatabase, startEmbedded, type Database, type EmbeddedPostgres } from '@holdfast/database';
import type { Logger } from '@holdfast/foundation/logger';
import path from 'node:path';
import type { Config } from '../settings/config.ts';
import { openMasterKey, type MasterKey } from '../keys/master-key.ts';
import { startStep } from './start-step.ts';

/** The ground that every role of the program stands on. */
export interface Installation {
  readonly database: Database;
  readonly masterKey: MasterKey;
  /** Folder of the built-in locations. */
  readonly vaultsFolder: string;
  /** Where downloads are built. */
  readonly workFolder: string;
  /** How often the embedded database ended and was started again. */
  databaseRestarts(): number;
  /** Resolves when the embedded database has ended and could not be started again. */
  readonly databaseLost: Promise<Error>;
  close(): Promise<void>;
}

interface Connections {
  readonly ownerUrl: string;
  readonly applicationUrl: string | (() => string);
  readonly server: EmbeddedPostgres | undefined;
}

async function connections(config: Config, logger: Logger, as: 'keeper' | 'guest'): Promise<Connections> {
  const given = config.HOLDFAST_DATABASE_URL?.reveal();
  if (given !== undefined) {
    return { ownerUrl: given, applicationUrl: config.HOLDFAST_DATABASE_APPLICATION_URL?.reveal() ?? given, server: undefined };
  }
  const server = await startEmbedded({ dataFolder: config.HOLDFAST_DATA_DIR, logger, as });
  return { ownerUrl: server.ownerUrl, applicationUrl: () => server.applicationUrl, server };
}

/**
 * Starts or reaches the database, migrates it, and opens the master key. A `keeper` owns the embedded
 * database; a `guest` (console commands) uses the one that runs. Whatever was started is stopped again
 * when a later step fails.
 */
export async function openInstallation(config: Config, logger: Logger, as: 'keeper' | 'guest'): Promise<Installation> {
  const step = <T>(name: string, work: () => Promise<T>): Promise<T> => startStep({ logger, name, isAnnounced: as === 'keeper' }, work);
  const { ownerUrl, applicationUrl, server } = await step('database', () => connections(config, logger, as));
  let database: Database | undefined;
  try {
    const report = await step('migrations', () => migrate(ownerUrl, { logger }));
    if (report.applied.length > 0) logger.info({ applied: report.applied }, 'the database was migrated');
    if (server) await noteVersion(config.HOLDFAST_DATA_DIR, report.version);
    const opened = (database = openDatabase({
      url: applicationUrl,
      role: 'holdfast_application',
      poolSize: config.HOLDFAST_DATABASE_POOL,
      logger,
    }));
    const masterKey = await step('master-key', () => openMasterKey(config, opened));
    return {
      database: opened,
      masterKey,
      vaultsFolder: path.join(config.HOLDFAST_DATA_DIR, 'vaults'),
      workFolder: path.join(config.HOLDFAST_DATA_DIR, 'work'),
      databaseRestarts: () => server?.restarts() ?? 0,
      databaseLost: server?.lost ?? new Promise<never>(() => undefined),
      async close() {
        await opened.close();
        await server?.stop();
      },
    };
  } catch (error) {
    await database?.close();
    await server?.stop();
    throw error;
  }
}
