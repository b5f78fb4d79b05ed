import { systemCode } from '@holdfast/foundation/errors';
import { serverProcess } from './server-process.ts';

/** One role of the product as a process of its own, ready. */
export interface RoleProcess {
  readonly name: string;
  /** Where it answers; empty for a role that does not. */
  readonly address: string;
  /** What it has logged. */
  log(): string;
  /** Ends it as a machine that loses power, unless it has ended. */
  kill(): Promise<void>;
  signal(name: NodeJS.Signals): void;
}

/** Starts a role and waits until it says that it is ready. */
export async function startRole(
  role: 'api' | 'worker' | 'scheduler' | 'all',
  name: string,
  settings: Readonly<Record<string, string>>,
): Promise<RoleProcess> {
  const started = serverProcess(role, settings);
  return {
    name,
    address: await started.ready(),
    log: () => started.said(),
    signal: (signal) => started.signal(signal),
    kill: () => started.kill(),
  };
}

/** Ends a process that may have ended: what went wrong before must not be hidden by that. */
export function endProcess(processId: number, signal: NodeJS.Signals): void {
  try {
    process.kill(processId, signal);
  } catch (error) {
    if (systemCode(error) !== 'ESRCH') throw error;
  }
}
