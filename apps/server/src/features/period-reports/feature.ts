import { printPaper, printPicture } from '@holdfast/paper';
import { inEachRealm } from '../../http/in-each-realm.ts';
import type { Feature } from '../../platform/feature.ts';
import type { AnyJobKind } from '../../runs/kind.ts';
import { startMonths, type MonthStarterOptions } from './month-starter.ts';
import { createMonthlyReportKind } from './monthly-report.kind.ts';
import { createPeriodFigures } from './period-figures.views.ts';
import { mountPeriodReports } from './period-reports.routes.ts';
import { createPeriodReportsService, type PeriodReportsParts } from './period-reports.service.ts';

export interface PeriodReportsFeature extends Feature {
  /** What a worker does to make the report of a month. */
  readonly kind: AnyJobKind;
}

export function createPeriodReportsFeature(
  ports: Omit<PeriodReportsParts, 'count' | 'printPaper' | 'printPicture'> & MonthStarterOptions,
): PeriodReportsFeature {
  const service = createPeriodReportsService({ ...ports, printPaper, printPicture, count: createPeriodFigures(ports.database) });
  return Object.freeze<PeriodReportsFeature>({
    kind: createMonthlyReportKind(service),
    mount: (app) => inEachRealm((realm) => mountPeriodReports(app, service, realm)),
    // The scheduler queues the reports of months that have ended.
    start: { scheduler: () => startMonths(ports) },
  });
}
