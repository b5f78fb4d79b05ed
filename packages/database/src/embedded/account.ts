import { AppError } from '@holdfast/foundation/errors';
import { execFile, spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { chown, readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Starts the programs of PostgreSQL as somebody it agrees to run as. */
export interface Launcher {
  /** Undefined when the programs run as this process's own user. */
  readonly uid: number | undefined;
  launch(program: string, args: readonly string[], stdio: StdioOptions): ChildProcess;
  /** Gives a file or folder to the account. */
  own(target: string): Promise<void>;
}

interface Account {
  readonly uid: number;
  readonly gid: number;
  readonly name: string;
}

/** Accounts to run as, the first that exists. PostgreSQL looks its own name up, so a bare number won't do. */
const CANDIDATES = ['holdfast', 'postgres', 'nobody'];

/** Capabilities that let the account reach what root's folders hide, the weaker first. */
const CAPABILITIES = ['dac_read_search', 'dac_override'];

async function unprivilegedAccount(): Promise<Account> {
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  for (const candidate of CANDIDATES) {
    const [name, , uid, gid] = lines.find((fields) => fields[0] === candidate) ?? [];
    if (name !== undefined && Number(uid) > 0) return { name, uid: Number(uid), gid: Number(gid) };
  }
  throw new AppError('database.did-not-start', {
    message: `PostgreSQL does not run as root, and there is no account ${CANDIDATES.join(', ')} to run it as. Start Holdfast as another user, or set HOLDFAST_DATABASE_URL.`,
  });
}

/** True when the account may pass through a folder and every one above it. */
async function canReach(account: Account, folder: string): Promise<boolean> {
  for (let at = await realpath(folder); ; at = path.dirname(at)) {
    const { mode, uid, gid } = await stat(at);
    const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
    if ((mode & bit) === 0) return false;
    if (at === path.dirname(at)) return true;
  }
}

function plainLauncher(account: Account | undefined): Launcher['launch'] {
  const identity = account ? { uid: account.uid, gid: account.gid } : {};
  return (program, args, stdio) => spawn(program, args, { stdio, detached: process.platform !== 'win32', ...identity });
}

function setprivArguments(account: Account, capability: string): string[] {
  return [
    `--reuid=${account.uid}`,
    `--regid=${account.gid}`,
    '--clear-groups',
    // PostgreSQL asks access(2) about its own programs; without this bit that call forgets what was lent.
    '--securebits=+no_setuid_fixup',
    `--inh-caps=-all,+${capability}`,
    `--ambient-caps=-all,+${capability}`,
    `--bounding-set=-all,+${capability}`,
    '--',
  ];
}

/** Folders above may be root's alone: the account is then lent one capability to pass through them, and nothing else. */
async function lendingLauncher(account: Account, initdb: string): Promise<Launcher['launch']> {
  for (const capability of CAPABILITIES) {
    const prefix = setprivArguments(account, capability);
    // Asked to show its settings, initdb looks for the other programs and files as it does when it works.
    const isAble = await run('setpriv', [...prefix, initdb, '--show', '--pgdata=/nowhere']).then(
      () => true,
      () => false,
    );
    if (isAble) return (program, args, stdio) => spawn('setpriv', [...prefix, program, ...args], { stdio, detached: true });
  }
  throw new AppError('database.data-directory-unusable', {
    message: `As root, PostgreSQL runs as ${account.name}, which can't reach this folder. Move Holdfast or HOLDFAST_DATA_DIR where every parent folder can be entered by others (mode 0755), or start it as another user.`,
    details: { account: account.name },
  });
}

/**
 * Decides how PostgreSQL is started: as this user, or, because it refuses to run as root, as an
 * unprivileged account that already exists. Nothing on the machine is changed for it.
 */
export async function chooseLauncher(
  programs: { readonly postgres: string; readonly initdb: string },
  dataFolder: string,
): Promise<Launcher> {
  if (process.getuid?.() !== 0) return { uid: undefined, launch: plainLauncher(undefined), own: () => Promise.resolve() };
  const account = await unprivilegedAccount();
  const isReachable = (await canReach(account, path.dirname(programs.postgres))) && (await canReach(account, dataFolder));
  return {
    uid: account.uid,
    launch: isReachable ? plainLauncher(account) : await lendingLauncher(account, programs.initdb),
    own: (target) => chown(target, account.uid, account.gid),
  };
}
