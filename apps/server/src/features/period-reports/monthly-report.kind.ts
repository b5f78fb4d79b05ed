import type { JobKind } from '../../runs/kind.ts';
import type { PeriodReportsService } from './period-reports.service.ts';

/** Reports of months as runs. Each step is durable and done once, so whoever takes a run up later does only what is left. */
export function createMonthlyReportKind({ makeMonth }: Pick<PeriodReportsService, 'makeMonth'>): JobKind<'monthlyReport'> {
  return Object.freeze<JobKind<'monthlyReport'>>({
    type: 'monthlyReport',
    async handle({ scope, run, progress, signal }) {
      progress.stage('committing');
      const reportNumbers = await makeMonth(scope, run.tenantId, signal);
      return { status: 'successful', code: null, result: { reportNumbers } };
    },
  });
}
