import type { Database, Scope } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import type { Metrics, Sample } from '../../http/metrics.ts';
import type { Feature } from '../../platform/feature.ts';
import { readFigures, type Figures } from './figures.views.ts';
import { figureSeries, type FigureSeries } from './series.ts';

export interface MetricsFeaturePorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly scopes: () => Promise<readonly Scope[]>;
}

interface OfOrganisation {
  readonly organisation: string;
  readonly figures: Figures;
}

/** How long figures are good for, however often they are asked for. */
const KEEP_MS = 30_000;

/** The samples of one series. A column that is null is no sample. */
function samplesOf({ figure, value, labels }: FigureSeries, read: readonly OfOrganisation[]): Sample<string>[] {
  return read.flatMap(({ organisation, figures }) =>
    figures[figure].flatMap((row) => {
      const number = row[value];
      if (typeof number !== 'number') return [];
      const named = Object.entries(labels).map(([label, column]) => [label, String(row[column] ?? '')]);
      return [{ labels: { organisation, ...(Object.fromEntries(named) as Record<string, string>) }, value: number }];
    }),
  );
}

/** Puts the figures of all organisations on `/metrics`. */
export function createMetricsFeature({ database, clock, metrics, scopes }: MetricsFeaturePorts): Feature {
  let kept: { readonly untilMs: number; readonly reading: Promise<readonly OfOrganisation[]> } | undefined;

  async function readAll(): Promise<readonly OfOrganisation[]> {
    const found: OfOrganisation[] = [];
    for (const scope of await scopes()) {
      if (scope.realm !== 'production') continue;
      found.push({ organisation: scope.organisationId, figures: await readFigures(database, scope, now(clock)) });
    }
    return found;
  }

  /** One reading at a time, for all series and everybody who asks. */
  function current(): Promise<readonly OfOrganisation[]> {
    if (kept && clock.monotonicMs() < kept.untilMs) return kept.reading;
    const reading = readAll();
    kept = { untilMs: clock.monotonicMs() + KEEP_MS, reading };
    reading.catch(() => (kept = undefined));
    return reading;
  }

  for (const series of figureSeries) {
    const { name, help, labels } = series;
    metrics.series({
      name,
      help,
      labels: ['organisation', ...Object.keys(labels)],
      read: async () => samplesOf(series, await current()),
    });
  }
  return Object.freeze<Feature>({});
}
