import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { AppError, systemCode } from '@holdfast/foundation/errors';
import type { Config } from '../settings/config.ts';

/** The settings that say where the master key is. */
export type MasterKeyConfig = Pick<Config, 'HOLDFAST_DATA_DIR' | 'HOLDFAST_MASTER_KEY'> &
  Partial<Pick<Config, 'HOLDFAST_MASTER_KEY_COMMAND'>>;

/** Where the master key of an installation is kept. */
export interface MasterKeySource {
  /** What to name in a message. */
  readonly place: string;
  /** Whether Holdfast makes and changes the key there; otherwise whoever keeps it does. */
  readonly isOurs: boolean;
  /** The 32 bytes; undefined where there is no key yet. */
  read(): Promise<Buffer | undefined>;
}

/** The file of the data directory that holds the key where no setting names another place. */
export const masterKeyFile = 'master.key';

const COMMAND_MS = 30_000;
const COMMAND_BYTES = 4_096;
const KEY = /^[A-Za-z0-9+/]{43}=$/;

/** The key in a file; undefined when there is no such file. */
export async function readFileKey(file: string): Promise<Buffer | undefined> {
  try {
    return Buffer.from((await readFile(file, 'utf8')).trim(), 'base64');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Names the program alone: its arguments and all that it printed may be secret. */
function commandFailed(program: string, what: string): AppError {
  return new AppError('keys.command-failed', {
    message: `The master key could not be read: ${program} of HOLDFAST_MASTER_KEY_COMMAND ${what}.`,
  });
}

function whyFailed(error: Error & { readonly code?: unknown; readonly killed?: boolean; readonly signal?: unknown }): string {
  if (error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return `printed more than ${COMMAND_BYTES} bytes`;
  if (error.killed === true) return `did not end within ${COMMAND_MS / 1_000} seconds`;
  if (typeof error.code === 'string') return `could not be started (${error.code})`;
  return typeof error.code === 'number' ? `ended with code ${error.code}` : `was ended by ${String(error.signal)}`;
}

/** Runs a program without a shell. What it prints is the key or nothing: it is neither logged nor part of an error. */
export function readCommandKey(command: readonly string[], timeoutMs = COMMAND_MS): Promise<Buffer> {
  const [program = '', ...args] = command;
  return new Promise((resolve, reject) => {
    const limits = { timeout: timeoutMs, killSignal: 'SIGKILL', maxBuffer: COMMAND_BYTES, windowsHide: true } as const;
    const child = execFile(program, args, limits, (error, printed) => {
      const text = printed.trim();
      if (error) reject(commandFailed(program, whyFailed(error)));
      else if (KEY.test(text)) resolve(Buffer.from(text, 'base64'));
      else reject(commandFailed(program, 'did not print 32 bytes in base64'));
    });
    // One that asks for a password on its input finds its end.
    child.stdin?.on('error', () => undefined).end();
  });
}

/** Where these settings say the master key is. */
export function masterKeySource(config: MasterKeyConfig): MasterKeySource {
  const { HOLDFAST_DATA_DIR: folder, HOLDFAST_MASTER_KEY: given, HOLDFAST_MASTER_KEY_COMMAND: command } = config;
  if (given) return { place: 'HOLDFAST_MASTER_KEY', isOurs: false, read: () => Promise.resolve(Buffer.from(given.reveal(), 'base64')) };
  if (command) return { place: 'HOLDFAST_MASTER_KEY_COMMAND', isOurs: false, read: () => readCommandKey(command) };
  const file = path.join(folder, masterKeyFile);
  return { place: file, isOurs: true, read: () => readFileKey(file) };
}
