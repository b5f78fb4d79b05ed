import { printPaper, printPicture } from '@holdfast/paper';
import { repeat } from '@holdfast/foundation/repeating';
import { inEachRealm } from '../../http/in-each-realm.ts';
import type { Feature } from '../../platform/feature.ts';
import { createPeriodFigures } from './period-figures.views.ts';
import { mountPeriodReports } from './period-reports.routes.ts';
import { createPeriodReportsService, type PeriodReportsParts } from './period-reports.service.ts';

const EVERY_MS = 10 * 60_000;

export function createPeriodReportsFeature(ports: Omit<PeriodReportsParts, 'count' | 'printPaper' | 'printPicture'>): Feature {
  const service = createPeriodReportsService({ ...ports, printPaper, printPicture, count: createPeriodFigures(ports.database) });
  const { clock, logger } = ports;
  return Object.freeze<Feature>({
    mount: (app) => inEachRealm((realm) => mountPeriodReports(app, service, realm)),
    // The scheduler makes the reports of months that have ended.
    start: {
      scheduler: () =>
        repeat({
          clock,
          everyMs: EVERY_MS,
          turn: () => service.turn(),
          onError: (error) => logger.warn({ err: error }, 'the reports of a month could not be made'),
        }),
    },
  });
}
