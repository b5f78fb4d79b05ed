import type { BackupSettings } from '@holdfast/contract/configuration';
import type { JobSource } from '@holdfast/contract/jobs';
import type { Selection, Selections } from '@holdfast/engine';
import { AppError } from '@holdfast/foundation/errors';
import type { GraphClient } from '@holdfast/m365';
import type { RunContext, RunHandler, RunOf } from '../../runs/handler.ts';
import { waitingCalls } from '../../runs/waiting-calls.ts';
import { configuredSelection, configuredSource, type SettingsReader, type SourcedBody } from './configured-source.ts';
import { coveredResources, isMeant } from './covered-resources.ts';
import type { JobResourcesStore } from './job-resources.store.ts';
import { createTally, openResources } from './each-resource.ts';
import { readResources, type ReadingOptions } from './read-resources.ts';
import type { KnownResource, ResourcesStore } from '../../storage/catalog/resources.store.ts';
import type { TenantGraph } from './tenant-graph.ts';
import type { Vaults } from '../../storage/vaults/vaults.service.ts';

export interface BackupHandlerOptions extends ReadingOptions {
  readonly graph: TenantGraph;
  readonly vaults: Vaults;
  readonly resources: ResourcesStore;
  readonly jobResources: JobResourcesStore;
  readonly configuration: SettingsReader;
}

type BackupContext = RunContext<RunOf<'backup'>>;

function sourceOf({ source, workload }: Pick<SourcedBody, 'source' | 'workload'>, settings: BackupSettings): JobSource {
  return configuredSource(source, workload, settings);
}

/** The channels that a job names of a team; nothing when it names none any more. */
function channelsOf(source: JobSource, { graphId }: KnownResource): Pick<Selection, 'channels'> {
  const channels = source.channels.filter(({ teamId }) => teamId === graphId);
  return channels.length === 0 ? {} : { channels: channels.map(({ id, name }) => ({ id, name })) };
}

/** What the engine reads of a resource, as a job that covers it, whole or in part, says. */
function selectionOf(source: JobSource, { resource, inPart }: Chosen, settings: BackupSettings): Selection {
  const { options, includeFolders, excludeFolders } = source;
  return {
    ...(inPart ? channelsOf(source, resource) : {}),
    ...(includeFolders.length > 0 ? { include: includeFolders } : {}),
    ...(excludeFolders.length > 0 ? { exclude: excludeFolders } : {}),
    mailbox: {
      deletedItems: options.deletedItems,
      junk: options.junk,
      recoverableItems: options.recoverableItems,
      calendars: options.calendars,
      contacts: options.contacts,
      tasks: options.tasks,
    },
    fileVersions: options.fileVersions,
    ...configuredSelection(resource.workload, settings),
  };
}

/** A resource of a run. */
interface Chosen {
  readonly resource: KnownResource;
  /** Of a team: only the channels that the job names. */
  readonly inPart: boolean;
}

/** What the job of a run and all others that cover a resource choose of it now. */
async function selectionsOf(
  options: BackupHandlerOptions,
  { run, scope }: BackupContext,
  { resource, inPart }: Chosen,
): Promise<Selections> {
  const { resourceId } = resource;
  const settings = await options.configuration.settingsOf(scope, run.tenantId);
  const others = await options.jobResources.besides(scope, { resourceId, locationId: run.locationId, jobId: run.jobId });
  const select = (body: SourcedBody, isInPart: boolean): Selection =>
    selectionOf(sourceOf(body, settings), { resource, inPart: isInPart }, settings);
  return [select(run.body, inPart), ...others.map((other) => select(other.body, other.inPart))];
}

/** What a run covers. */
interface Found {
  readonly known: readonly KnownResource[];
  readonly inPart: ReadonlySet<string>;
  readonly isWhole: boolean;
}

/** The handler of backup runs: resolves what the job covers today and takes it resource by resource. */
export function createBackupHandler(options: BackupHandlerOptions): RunHandler<RunOf<'backup'>> {
  const { accounts } = options;

  async function resourcesOf(context: BackupContext, graph: GraphClient): Promise<Found> {
    const { run, scope } = context;
    const settings = await options.configuration.settingsOf(scope, run.tenantId);
    if (!settings[run.workload].enabled) throw new AppError('configuration.workload-off');
    const source = sourceOf(run.body, settings);
    const coverage = await coveredResources(graph.with(waitingCalls(context)), run.workload, source);
    const holdsBack = source.everyone && !settings[run.workload].protectNewResources;
    const remembered = await options.resources.remember(scope, run.tenantId, coverage.resources, { holdsBack });
    const known = remembered.filter(({ isHeldBack }) => !isHeldBack);
    if (coverage.isComplete) {
      await options.resources.markGone(scope, run.tenantId, run.workload, [
        ...coverage.resources.map((one) => one.graphId),
        ...coverage.spared,
      ]);
    }
    await options.notCovered.notePeople(scope, run.tenantId, run.workload, coverage);
    await accounts.addNotFound(
      scope,
      run.runId,
      coverage.notCovered.filter((one) => !isMeant(one)),
    );
    // Who has no mailbox or drive is not protected and says so; who could not be looked up makes the run defective.
    const isWhole = coverage.notCovered.every(isMeant);
    const resourceIds = known.map(({ resourceId }) => resourceId);
    const inPart = new Set(
      known.filter(({ kind, graphId }) => kind === 'team' && coverage.channels?.has(graphId)).map((team) => team.resourceId),
    );
    if (run.jobId !== null) await options.jobResources.note(scope, run.jobId, { resourceIds, inPart, isWhole });
    return { known, inPart, isWhole };
  }

  return async (context) => {
    const { run, scope, progress } = context;
    const tally = createTally(options.accounts);
    let isComplete = true;
    await options.graph.use(scope, run.tenantId, (graph) =>
      options.vaults.use(scope, run.locationId, async (vault) => {
        progress.stage('preparing');
        const { known, inPart, isWhole } = await resourcesOf(context, graph);
        isComplete = isWhole;
        const open = await openResources(options, context, known);
        progress.stage('working');
        await readResources(options, context, {
          graph,
          vault,
          open,
          tally,
          selectionsOf: (resource) => selectionsOf(options, context, { resource, inPart: inPart.has(resource.resourceId) }),
        });
      }),
    );
    const outcome = await tally.outcome(context);
    return outcome.status === 'successful' && !isComplete ? { ...outcome, status: 'defective' } : outcome;
  };
}
