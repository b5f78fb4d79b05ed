import { createRestore, pointOf, silentProgress, type RestoreLine, type RestoreReport } from '@holdfast/engine';
import { systemClock } from '@holdfast/foundation/clock';
import { silentLogger } from '@holdfast/foundation/logger';
import { clientOf, ids, mailboxOf, membersOf, openWorkshop, startService } from './ground.ts';
import { openKeptReport } from './kept-report.ts';
import { measure, round } from './measure.ts';

/** Exchange items a minute and mailbox that the service publishes for its own restores. */
const PUBLISHED = [200, 500] as const;

/** One mailbox put back into another, with the limits of the service and the report in PostgreSQL. */
export async function benchRestore(messages: number) {
  const { service, stop } = await startService({ mailboxes: 2, messages, limits: 'real' });
  const graph = clientOf(service);
  const workshop = await openWorkshop(graph);
  const kept = await openKeptReport();
  try {
    const [from = '', to = ''] = await membersOf(graph, 2);
    const source = mailboxOf(from);
    await workshop.backUp(source);
    const { vault, catalog } = workshop;
    const lines: RestoreLine[] = [];
    const report: RestoreReport = {
      begin: (key, there) => kept.report.begin(key, there),
      uploading: (key, upload) => kept.report.uploading(key, upload),
      tell(some) {
        lines.push(...some);
        return kept.report.tell(some);
      },
    };
    const { sequence } = await pointOf(catalog, source);
    const engine = createRestore({ vault, graph, catalog, progress: silentProgress, report, clock: systemClock, logger: silentLogger });
    const row = await measure('restore', graph, async () => {
      const request = {
        runId: ids.uuid(),
        source,
        sequence,
        selection: 'all',
        target: { resource: mailboxOf(to), folder: 'Back' },
      } as const;
      const done = await engine.run({ ...request, collisions: 'skip' }, new AbortController().signal);
      await kept.report.end();
      if (done.status !== 'successful') throw new Error(`the restore ended ${done.status} ${done.code ?? ''}`);
      return { items: lines.filter((line) => line.kind === 'message' && line.outcome === 'restored').length, bytes: done.bytes };
    });
    const perMinute = (row.items / row.seconds) * 60;
    return {
      messages,
      rows: [row],
      itemsPerMinute: Math.round(perMinute),
      ofPublished: PUBLISHED.map((published) => round(perMinute / published, 1)),
      requestsPerItem: round(row.requests / row.items, 3),
      throttled: graph.statistics().throttled,
    };
  } finally {
    await kept.close();
    await workshop.close();
    await graph.close();
    stop();
  }
}
