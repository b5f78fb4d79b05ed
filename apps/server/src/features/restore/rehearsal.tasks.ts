import type { Scope } from '@holdfast/database';
import { clearScratch, createDrill, drawSamples, type Catalog } from '@holdfast/engine';
import { nowIso, type Clock } from '@holdfast/foundation/clock';
import type { Logger } from '@holdfast/foundation/logger';
import type { Random } from '@holdfast/foundation/random';
import type { RunContext, RunOf, RunOutcome } from '../../runs/handler.ts';
import { waitingCalls } from '../../runs/waiting-calls.ts';
import type { TenantGraph } from '../backup/index.ts';
import type { Vaults } from '../../storage/index.ts';
import type { RunAccountsStore } from '../../runs/index.ts';
import { keepEvidence } from './evidence-lines.ts';
import type { PinnedSettings, RestoreSource } from './restore-source.ts';
import type { RunLinesStore } from './run-lines.store.ts';

export interface RehearsalOptions {
  readonly graph: TenantGraph;
  readonly vaults: Vaults;
  readonly lines: RunLinesStore;
  readonly accounts: RunAccountsStore;
  catalogOf(scope: Scope, locationId: string): Catalog;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

/** A folder of which a run can be sure that nobody else has made it. */
export function scratchFolder(what: 'drill' | 'rehearsal', runId: string, clock: Clock): string {
  return `Holdfast ${what} ${nowIso(clock).slice(0, 16).replace('T', ' ').replace(':', '.')} ${runId.slice(-8)}`;
}

/** A rehearsal compares as much as people look through; of more it takes a fair sample. */
const REHEARSED_ITEMS = 1_000;

/** Puts the selection into a folder of its own and compares it byte by byte with what was recorded. */
export async function rehearse(
  options: RehearsalOptions,
  context: RunContext<RunOf<'restore'>>,
  { source, settings }: { readonly source: RestoreSource; readonly settings: PinnedSettings },
): Promise<RunOutcome> {
  const { run, scope, signal, decide } = context;
  const { vaults, lines, clock, random, logger } = options;
  const { resource } = source;
  const catalog = options.catalogOf(scope, run.locationId);
  const { sequence, items: selection } = settings;
  const plan = await decide('rehearsal', async () => ({
    folder: scratchFolder('rehearsal', run.runId, clock),
    ...(await drawSamples({ catalog, random }, { source: resource, sequence, selection, samples: REHEARSED_ITEMS })),
  }));
  const request = { runId: run.runId, source: resource, target: resource, ...plan };
  if (run.isResumed) await lines.forget(scope, run.runId);
  const evidence = await options.graph.use(scope, run.tenantId, async (client) => {
    const graph = client.with(waitingCalls(context, resource.id));
    if (run.isResumed) await clearScratch({ graph, clock }, request);
    return vaults.apart(scope, run.locationId, (vault) => createDrill({ vault, graph, catalog, clock, logger }).run(request, signal));
  });
  const place = { scope, runId: run.runId, resourceId: resource.id, atLeast: 1 };
  const { checked, checkedBytes, deviations, remaining, kept } = await keepEvidence(options, place, evidence);
  return {
    status: checked > 0 && deviations === 0 ? 'successful' : 'defective',
    code: checked === 0 ? 'drill.nothing-to-check' : null,
    counts: {
      added: checked - deviations,
      changed: 0,
      removed: 0,
      unchanged: 0,
      gone: 0,
      excluded: 0,
      newBytes: checkedBytes,
      storedBytes: 0,
    },
    result: { sequence, remaining, kept },
  };
}
