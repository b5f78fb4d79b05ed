import { spawn } from 'node:child_process';
import { silentLogger } from '@holdfast/foundation/logger';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { migrate, startEmbedded } from '../src/index.ts';
import { forgetfulSettings } from './forgetful-settings.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the run's PostgreSQL, as a role that may create databases. */
    postgresOwnerUrl: string;
    postgresApplicationUrl: string;
    postgresAdministratorUrl: string;
  }
}

export const templateName = 'holdfast_template';

async function makeTemplate(ownerUrl: string): Promise<void> {
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  await owner.query(`create database ${templateName}`);
  await owner.end();
  const template = new URL(ownerUrl);
  template.pathname = `/${templateName}`;
  await migrate(template.href);
}

/** A run that is killed can stop nothing: this process hears it go, and stops the server for it. */
function stopWithThisRun(processId: number, dataFolder: string): void {
  const script = fileURLToPath(new URL('stop-with-parent.ts', import.meta.url));
  const guard = spawn(process.execPath, [script, String(processId), dataFolder], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    detached: true,
  });
  guard.unref();
  guard.channel?.unref();
}

/** Starts one PostgreSQL for the run and migrates the template that each test file's database is copied from. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataFolder = await mkdtemp(path.join(tmpdir(), 'holdfast-test-postgres-'));
  const server = await startEmbedded({ dataFolder, logger: silentLogger, as: 'keeper', settings: forgetfulSettings });
  stopWithThisRun(server.processId, dataFolder);
  const stop = async (): Promise<void> => {
    await server.stop();
    await rm(dataFolder, { recursive: true, force: true });
  };
  try {
    await makeTemplate(server.ownerUrl);
  } catch (error) {
    await stop();
    throw error;
  }
  project.provide('postgresOwnerUrl', server.ownerUrl);
  project.provide('postgresApplicationUrl', server.applicationUrl);
  project.provide('postgresAdministratorUrl', server.administratorUrl);
  return stop;
}
