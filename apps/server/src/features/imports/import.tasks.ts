import {
  createBackup,
  importWorkload,
  readMailFiles,
  type Catalog,
  type FoundFault,
  type ImportCounts,
  type ImportSource,
  type Lease,
  type MailFileEntry,
  type MailPlace,
  type RunResult,
} from '@holdfast/engine';
import type { Scope } from '@holdfast/database';
import type { Clock } from '@holdfast/foundation/clock';
import type { Logger } from '@holdfast/foundation/logger';
import type { Vault } from '@holdfast/vault';
import type { RunContext, RunHandler, RunOf, RunOutcome } from '../../runs/handler.ts';
import type { RunAccountsStore } from '../../runs/index.ts';
import { resourceOf, type KnownResource, type ResourcesStore, type Vaults } from '../../storage/index.ts';
import { createProblemBuffer, createTally, onceFree, openResources } from '../backup/index.ts';
import { exemptAmong, type ExemptParts } from './exempt.service.ts';
import { dryRun } from './dry-run.ts';
import { keepFault, type ImportFaultsParts } from './import-faults.ts';
import { withImportFiles, type ImportFiles, type ImportSourceParts } from './import-source.ts';
import { folderInArchive, mailboxesOf, mappingOf, type Mapping } from './mapping.ts';

export interface ImportHandlerOptions extends ImportSourceParts, ImportFaultsParts, ExemptParts {
  readonly vaults: Vaults;
  readonly resources: ResourcesStore;
  readonly accounts: RunAccountsStore;
  catalogOf(scope: Scope, locationId: string): Catalog;
  leaseOf(scope: Scope, locationId: string): Lease;
  readonly clock: Clock;
  readonly logger: Logger;
}

type ImportContext = RunContext<RunOf<'import'>>;

const NOTHING: ImportCounts = { seen: 0, added: 0, known: 0, failed: 0, erasedBefore: 0 };
const EXEMPT = 'import.mailbox-exempt';
const countsOf = (resourceId: string): string => `counts ${resourceId}`;

/** What goes to one mailbox. A piece that is no message goes with the first one that gets something, where its folder is nobody's. */
async function* entriesFor(
  { run }: ImportContext,
  files: ImportFiles,
  { graphId, after, taken }: { readonly graphId: string; readonly after: MailPlace | undefined; readonly taken: ReadonlySet<string> },
): AsyncGenerator<MailFileEntry, void, undefined> {
  const { mapping, passwordCheck } = run.body.import;
  const first = mapping.find(({ mailbox }) => taken.has(mailbox.id));
  for await (const entry of readMailFiles(files.all(), after, { passwordCheck })) {
    const chosen = mappingOf(mapping, entry.folder) ?? (entry.kind === 'fault' ? first : undefined);
    if (chosen?.mailbox.id === graphId) yield { ...entry, folder: folderInArchive(chosen, entry.folder) };
  }
}

interface Taking {
  readonly files: ImportFiles;
  readonly vault: Vault;
  readonly archive: KnownResource;
  /** Everybody whose archive is filled. */
  readonly taken: ReadonlySet<string>;
}

/** Takes into one archive what is for it. */
async function takeOne(
  options: ImportHandlerOptions,
  context: ImportContext,
  { files, vault, archive, taken }: Taking,
): Promise<RunResult> {
  const { run, scope, progress, signal } = context;
  const { accounts, clock, logger } = options;
  const { locationId, runId } = run;
  const problems = createProblemBuffer((group) => accounts.addProblems(scope, runId, group));
  await accounts.start(scope, runId, archive.resourceId);
  let counts = NOTHING;
  const source: ImportSource = {
    id: `${runId}:${files.digest}`,
    entries: (after) => entriesFor(context, files, { graphId: archive.graphId, after, taken }),
    onFault: (fault) => keepFault(options, { scope, runId, locationId }, fault),
    onCounts: (counted) => {
      counts = counted;
    },
  };
  const backup = createBackup({
    vault,
    workloadOf: () => importWorkload(source),
    catalog: options.catalogOf(scope, locationId),
    lease: options.leaseOf(scope, locationId),
    progress: progress.of(archive.resourceId),
    problems,
    clock,
    logger,
  });
  try {
    const result = await onceFree(clock, signal, () => backup.run({ runId, resource: resourceOf(archive), selections: [{}], signal }));
    await problems.flush();
    if (result.status !== 'successful' && result.status !== 'defective') return result;
    await context.decide(countsOf(archive.resourceId), () => Promise.resolve(counts));
    return { ...result, status: counts.failed > 0 ? 'defective' : result.status, counts: { ...result.counts, failed: counts.failed } };
  } finally {
    await problems.flush();
  }
}

async function totalOf({ decide }: ImportContext, known: readonly KnownResource[]): Promise<ImportCounts> {
  const total = { ...NOTHING };
  for (const { resourceId } of known) {
    const counts = await decide(countsOf(resourceId), () => Promise.resolve(NOTHING));
    for (const name of ['seen', 'added', 'known', 'erasedBefore', 'failed'] as const) total[name] += counts[name];
  }
  return total;
}

/** Fills the archives of these mailboxes. */
async function takeAll(
  options: ImportHandlerOptions,
  context: ImportContext,
  files: ImportFiles,
  mailboxes: readonly Mapping['mailbox'][],
): Promise<RunOutcome> {
  const { run, scope, signal, progress } = context;
  const { accounts } = options;
  const tally = createTally(accounts);
  const taken = new Set(mailboxes.map(({ id }) => id));
  const archives = mailboxes.map(({ id: graphId, name, address }) => ({
    kind: 'archive' as const,
    workload: 'archive' as const,
    graphId,
    name,
    address,
  }));
  const known = await options.resources.remember(scope, run.tenantId, archives);
  await options.vaults.use(scope, run.locationId, async (vault) => {
    const open = await openResources(options, context, known);
    progress.stage('working');
    // One after the other: each reads the files from their beginning, and they are read from a disk.
    for (const archive of open) {
      if (signal.aborted) return;
      const result = await takeOne(options, context, { files, vault, archive, taken });
      if (signal.aborted && result.status === 'cancelled') return;
      tally.add(result);
      await accounts.end(scope, run.runId, archive.resourceId, result);
      progress.ended(archive.resourceId, { isFailed: result.status === 'failed' });
    }
  });
  const outcome = await tally.outcome(context);
  return signal.aborted ? outcome : { ...outcome, result: await totalOf(context, known) };
}

/** Whoever has become exempt since the job was saved gets nothing, not even an archive, and the run says so. */
async function take(options: ImportHandlerOptions, context: ImportContext, files: ImportFiles): Promise<RunOutcome> {
  const { run, scope } = context;
  const wanted = mailboxesOf(run.body.import.mapping);
  const ids = wanted.map(({ id }) => id);
  const exempt = await exemptAmong(options, scope, run.tenantId, ids);
  const mailboxes = wanted.filter(({ id }) => !exempt.has(id));
  const refused = wanted
    .filter(({ id }) => exempt.has(id))
    .map(({ id: graphId, name, address }) => ({ graphId, name, address, code: EXEMPT }));
  await options.accounts.addNotFound(scope, run.runId, refused);
  if (mailboxes.length === 0) return { status: 'failed', code: EXEMPT, result: NOTHING };
  const outcome = await takeAll(options, context, files, mailboxes);
  return outcome.status === 'successful' && refused.length > 0 ? { ...outcome, status: 'defective' } : outcome;
}

/** Reads the files once and stores nothing but the pieces that are no messages. */
async function inspect(
  options: ImportHandlerOptions,
  { run, scope, signal, progress }: ImportContext,
  files: ImportFiles,
): Promise<RunOutcome> {
  progress.stage('enumerating');
  const { runId, locationId } = run;
  const onFault = (fault: FoundFault): Promise<void> => keepFault(options, { scope, runId, locationId }, fault);
  const { passwordCheck } = run.body.import;
  const result = await dryRun(files, { nowMs: options.clock.nowMs(), signal, onFault, passwordCheck });
  return { status: result.failed > 0 ? 'defective' : 'successful', code: null, result };
}

/** The handler of imports: takes mail from files into archives, or says what they hold. */
export function createImportHandler(options: ImportHandlerOptions): RunHandler<RunOf<'import'>> {
  return async (context) => {
    const { run, scope, progress } = context;
    progress.stage('preparing');
    const { source, dryRun: isDry } = run.body.import;
    return withImportFiles(options, scope, { tenantId: run.tenantId, source }, (files) =>
      isDry ? inspect(options, context, files) : take(options, context, files),
    );
  };
}
