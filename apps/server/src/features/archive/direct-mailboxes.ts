import type { Scope } from '@holdfast/database';
import type { Selection, Selections } from '@holdfast/engine';
import type { GraphClient } from '@holdfast/m365';
import type { RunContext, RunOf } from '../../runs/handler.ts';
import type { FoundResource, KnownResource, ResourcesStore } from '../../storage/index.ts';
import { configuredSource, coveredResources, type JobResourcesStore, type SettingsReader } from '../backup/index.ts';
import { selectionOf } from './archive-mailboxes.ts';

export interface DirectOptions {
  readonly resources: Pick<ResourcesStore, 'remember'>;
  readonly jobResources: JobResourcesStore;
  readonly configuration: SettingsReader;
}

type ArchiveContext = Pick<RunContext<RunOf<'archive'>>, 'run' | 'scope'>;
type ArchiveBody = RunOf<'archive'>['body'];

/** Whom backup jobs cover. One that has not looked yet is looked up now, so that nothing is read twice before its first run. */
async function backedUp(options: DirectOptions, scope: Scope, tenantId: string, graph: GraphClient): Promise<ReadonlySet<string>> {
  const covered = new Set(await options.jobResources.mailboxes(scope, tenantId));
  for (const { source } of await options.jobResources.unnoted(scope, tenantId)) {
    const { resources } = await coveredResources(graph, 'exchange', source);
    for (const { graphId } of resources) covered.add(graphId);
  }
  return covered;
}

/** What a run has to read itself. */
export interface Direct {
  readonly mailboxes: readonly KnownResource[];
  /** Why mailboxes that no backup covers are not read. */
  readonly unread?: string;
}

/**
 * The mailboxes of a job that no backup covers: its runs read them from Microsoft 365 themselves, into the vault of the
 * archive. A mailbox that a backup covers is left to it, whether it has been stored yet or not.
 */
export async function directMailboxes(
  options: DirectOptions,
  { run, scope }: ArchiveContext,
  graph: GraphClient,
  { found, isWhole }: { readonly found: readonly FoundResource[]; readonly isWhole: boolean },
): Promise<Direct> {
  const { tenantId, jobId } = run;
  const { exchange } = await options.configuration.settingsOf(scope, tenantId);
  if (!exchange.enabled) return { mailboxes: [], unread: 'coverage.workload-off' };
  const covered = await backedUp(options, scope, tenantId, graph);
  const own = found.filter(({ graphId }) => !covered.has(graphId));
  // Whoever waits to be chosen for backups goes on waiting.
  const mailboxes = await options.resources.remember(scope, tenantId, own, { holdsBack: true });
  const resourceIds = mailboxes.map(({ resourceId }) => resourceId);
  if (jobId !== null) await options.jobResources.note(scope, jobId, { resourceIds, inPart: new Set(), isWhole });
  return { mailboxes };
}

/** What is read of a mailbox for archives: the mail that this job and the other archive jobs that read it take. */
export async function directSelections(
  options: DirectOptions,
  { run, scope }: ArchiveContext,
  { resourceId }: KnownResource,
): Promise<Selections> {
  const { tenantId, jobId, locationId } = run;
  const settings = await options.configuration.settingsOf(scope, tenantId);
  const others = await options.jobResources.besides(scope, { resourceId, locationId, jobId, types: ['archive'] });
  const select = ({ source }: Pick<ArchiveBody, 'source'>): Selection => {
    const selection = selectionOf({ source: configuredSource(source, 'exchange', settings) });
    const mailOnly = { recoverableItems: false, calendars: false, contacts: false, tasks: false };
    return { ...selection, mailbox: { ...selection.mailbox, ...mailOnly } };
  };
  return [select(run.body), ...others.map(({ body }) => select(body))];
}
