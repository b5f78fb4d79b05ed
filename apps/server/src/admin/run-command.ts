import type { Logger } from '@holdfast/foundation/logger';
import type { Config } from '../settings/config.ts';
import { readOptions, type Command, type CommandContext } from './command.ts';
import { checkTenant } from './check-tenant.ts';
import { conformance } from './conformance.ts';
import { createOwner } from './create-owner.ts';
import { endSessions } from './end-sessions.ts';
import { importMail } from './import-mail.ts';
import { liftSignInRules } from './lift-sign-in-rules.ts';
import { rebuildCatalog } from './rebuild-catalog.ts';
import { restore } from './restore.ts';
import { resetPassword } from './reset-password.ts';
import { resetTwoFactor } from './reset-two-factor.ts';
import { rotateKeys } from './rotate-keys.ts';
import { vaultCommands } from './vault-commands.ts';
import { verifyAudit } from './verify-audit.ts';
import { verifyExport } from './verify-export.ts';
import { verifyProof } from './verify-proof.ts';

/** Every command of the console. */
const commands: readonly Command[] = [
  createOwner,
  resetPassword,
  resetTwoFactor,
  endSessions,
  liftSignInRules,
  rotateKeys,
  rebuildCatalog,
  importMail,
  restore,
  verifyAudit,
  verifyExport,
  conformance,
  verifyProof,
  checkTenant,
  ...vaultCommands,
];

/** Some names have two words: `vault verify`. */
function wordsOf(command: Command): number {
  return command.name.split(' ').length;
}

function help(print: (line: string) => void): void {
  print('Usage: holdfast admin <command> [--option value]\n');
  for (const command of commands) {
    print(`${command.name}${command.argument === undefined ? '' : ` ${command.argument.toUpperCase()}`}\n    ${command.summary}`);
    for (const [name, meaning] of Object.entries(command.options)) print(`    --${name}  ${meaning}`);
  }
}

/** Runs one command of the console and answers the exit code of the process. */
export async function runCommand(
  config: Config,
  logger: Logger,
  args: readonly string[],
  limits: Pick<CommandContext, 'threads'> = {},
): Promise<number> {
  const [name] = args;
  const print = (line: string): void => console.log(line);
  const command = commands.find((candidate) => args.slice(0, wordsOf(candidate)).join(' ') === candidate.name);
  if (!command) {
    help(print);
    return name === undefined || name === 'help' ? 0 : 2;
  }
  return (await command.run({ config, logger, print, ...limits }, readOptions(command, args.slice(wordsOf(command))))) ?? 0;
}
