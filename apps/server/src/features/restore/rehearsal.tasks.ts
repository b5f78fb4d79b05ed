import type { RestoreSettings } from '@holdfast/contract/restore';
import type { Scope } from '@holdfast/database';
import { createDrill, type Catalog } from '@holdfast/engine';
import { nowIso, type Clock } from '@holdfast/foundation/clock';
import type { Logger } from '@holdfast/foundation/logger';
import type { Random } from '@holdfast/foundation/random';
import type { RunContext, RunOutcome } from '../../work/run-worker.ts';
import type { TenantGraph, Vaults } from '../backup/index.ts';
import type { RunAccountsStore } from '../monitoring/index.ts';
import { keepEvidence } from './evidence-lines.ts';
import type { RestoreSource } from './restore-source.ts';
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

/** A rehearsal compares as much as people look through; of more it takes a fair sample. */
const REHEARSED_ITEMS = 1_000;

/** Puts the selection into a folder of its own and compares it byte by byte with what was recorded. */
export async function rehearse(
  options: RehearsalOptions,
  { run, scope, signal }: RunContext,
  { source, settings }: { readonly source: RestoreSource; readonly settings: RestoreSettings },
): Promise<RunOutcome> {
  const { graph, vaults, clock, random, logger } = options;
  const { resource } = source;
  const request = {
    runId: run.runId,
    source: resource,
    ...(settings.sequence === undefined ? {} : { sequence: settings.sequence }),
    target: resource,
    folder: `Holdfast rehearsal ${nowIso(clock).slice(0, 16).replace(':', '.')}`,
    selection: settings.items,
    samples: REHEARSED_ITEMS,
  };
  const evidence = await graph.use(scope, run.tenantId, (client) =>
    vaults.apart(scope, run.locationId, (vault) =>
      createDrill({ vault, graph: client, catalog: options.catalogOf(scope, run.locationId), clock, random, logger }).run(request, signal),
    ),
  );
  const place = { scope, runId: run.runId, resourceId: resource.id, atLeast: 1 };
  const { checked, checkedBytes, deviations } = await keepEvidence(options, place, evidence);
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
  };
}
