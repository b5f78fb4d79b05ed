import { now, type Clock } from '@holdfast/foundation/clock';
import { isAppError } from '@holdfast/foundation/errors';
import { adviceFor } from '@holdfast/engine';
import type { VaultReader } from '@holdfast/vault';
import type { RunAccountsStore } from '../../runs/index.ts';
import type { RunContext, RunOf, RunOutcome } from '../../runs/handler.ts';
import type { JobKind } from '../../runs/kind.ts';
import { isAway, type Vaults } from '../../storage/index.ts';
import type { CleanUpsStore, PlannedVersion } from './clean-ups.store.ts';

export interface CleanUpOptions {
  readonly store: CleanUpsStore;
  readonly vaults: Vaults;
  readonly accounts: Pick<RunAccountsStore, 'addProblems'>;
  readonly clock: Clock;
}

type CleanUpContext = RunContext<RunOf<'cleanUp'>>;

/** Reads a version to its end; answers why it could not be read. */
async function faultOf(reader: VaultReader, { content }: PlannedVersion, signal: AbortSignal): Promise<string | undefined> {
  if (content === undefined) return 'restore.unreadable';
  try {
    let bytes = 0;
    for await (const piece of reader.read(content.ref, { signal })) bytes += piece.byteLength;
    return bytes === content.ref.sizeBytes ? undefined : 'restore.unreadable';
  } catch (error) {
    signal.throwIfAborted();
    // A store that is away says nothing of the version: the run waits for it, or fails whole.
    if (isAway(error)) throw error;
    return isAppError(error) ? error.code : 'internal';
  }
}

/** Reads versions from the stores, past everything that this process remembers of them. Answers the first fault. */
async function firstFault(options: CleanUpOptions, { scope, signal }: CleanUpContext, versions: readonly PlannedVersion[]) {
  for (const [locationId, there] of Map.groupBy(versions, (version) => version.locationId)) {
    const fault = await options.vaults.apart(scope, locationId, async (vault) => {
      const reader = vault.reader();
      for (const version of there) {
        const code = await faultOf(reader, version, signal);
        if (code !== undefined) return { version, code };
      }
      return undefined;
    });
    if (fault) return fault;
  }
  return undefined;
}

/** One version that cannot be read back stops the plan: what has no net is not to be deleted. */
async function stopped(
  options: CleanUpOptions,
  { scope, run }: CleanUpContext,
  version: PlannedVersion,
  code: string,
): Promise<RunOutcome> {
  const { resourceId, itemKey, name, label } = version;
  const problem = { itemKey, kind: null, outcome: 'recorded', tried: [], advice: adviceFor(code) } as const;
  await options.accounts.addProblems(scope, run.runId, [{ resourceId, runId: run.runId, path: `${name} ${label}`, code, ...problem }]);
  return { status: 'failed', code: 'compliance.plan-stopped' };
}

/** Clean-ups of versions as jobs: plan, read back, done. Nothing is deleted by them. */
export function createCleanUpKind(options: CleanUpOptions): JobKind<'cleanUp'> {
  const { store, clock } = options;
  return Object.freeze<JobKind<'cleanUp'>>({
    type: 'cleanUp',
    async handle(context) {
      const { scope, run, progress, signal } = context;
      progress.stage('preparing');
      const { at } = await context.decide('at', () => Promise.resolve({ at: now(clock).toISOString() }));
      await store.plan(scope, run, run.body, new Date(at));
      progress.expect(1);
      progress.stage('checking');
      const figures = progress.of(run.runId);
      for (;;) {
        signal.throwIfAborted();
        const versions = await store.next(scope, run.runId);
        if (versions.length === 0) break;
        const fault = await firstFault(options, context, versions);
        if (fault) return stopped(options, context, fault.version, fault.code);
        await store.noteRead(scope, run.runId, versions);
        const { versions: total, read, bytes } = await store.sums(scope, run.runId);
        figures.report({ stage: 'checking', processed: read, total, bytes, errors: 0, itemsPerSecond: 0, bytesPerSecond: 0 });
      }
      const { versions, bytes, read } = await store.sums(scope, run.runId);
      // A file that is gone since the scan has no versions left to delete.
      return { status: 'successful', code: null, result: { versions, bytes, read } };
    },
  });
}
