import { createLogger, type Logger } from '@holdfast/foundation/logger';
import { errorText, systemCode } from '@holdfast/foundation/errors';
import { readFileSync } from 'node:fs';
import type { Role } from './platform/feature.ts';
import { ConfigError, readConfig, type Config } from './settings/config.ts';

/** What the program can be started as. */
const ROLES: Readonly<Record<string, readonly Role[]>> = {
  all: ['api', 'worker', 'scheduler'],
  api: ['api'],
  worker: ['worker'],
  scheduler: ['scheduler'],
};

const BAD_CONFIGURATION = 2;
const USAGE = 'Usage: main.ts [all | api | worker | scheduler | migrate | admin <command>]';

async function fail(error: unknown, config: Config | undefined): Promise<number> {
  const { operatorSentence } = await import('./operator-sentence.ts');
  const sentence = operatorSentence(error, config);
  console.error(sentence ?? (error instanceof Error ? (error.stack ?? error.message) : errorText(error)));
  return error instanceof ConfigError ? BAD_CONFIGURATION : 1;
}

function versionOf(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/** Whoever reads what a command prints may leave before its end, as `head` does: then nobody is left to print for. */
function endWithReader(): void {
  process.stdout.on('error', (error) => {
    if (systemCode(error) !== 'EPIPE') throw error;
    process.exit();
  });
}

function announceSetup(address: string): void {
  console.log(`\nNobody can sign in yet. Set up the first owner at:\n${address}\n`);
}

async function migrateOnly(config: Config, logger: Logger): Promise<void> {
  const { openInstallation } = await import('./platform/installation.ts');
  const installation = await openInstallation(config, logger, 'guest');
  await installation.close();
}

/** Says that it starts before it loads what it is made of: on a machine under load that alone can take minutes. */
async function startRoles(config: Config, logger: Logger, roles: readonly Role[]): Promise<number> {
  const version = versionOf();
  logger.info({ event: 'starting', roles, version, processId: process.pid }, 'starting');
  const { serve } = await import('./serve.ts');
  return serve({ config, logger, roles, version, announceSetup });
}

async function main(): Promise<number> {
  let config: Config | undefined;
  try {
    const [role = 'all', ...rest] = process.argv.slice(2);
    config = readConfig();
    const logger = createLogger({ level: config.HOLDFAST_LOG_LEVEL });
    const roles = ROLES[role];
    if (roles) return await startRoles(config, logger, roles);
    else if (role === 'migrate') await migrateOnly(config, logger);
    else if (role === 'admin') {
      endWithReader();
      const { runCommand } = await import('./admin/run-command.ts');
      return await runCommand(config, logger, rest);
    } else {
      console.error(USAGE);
      return BAD_CONFIGURATION;
    }
    return 0;
  } catch (error) {
    return await fail(error, config);
  }
}

process.exitCode = await main();
