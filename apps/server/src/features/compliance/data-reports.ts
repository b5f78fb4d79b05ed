import type { AgeBucket, DataManagementAccount, DataManagementReport } from '@holdfast/contract/compliance-values';
import type { Page } from '@holdfast/contract/paging';
import type { Database, Scope } from '@holdfast/database';
import { AppError } from '@holdfast/foundation/errors';
import { accountsPage, reportWithAges } from './reports.views.ts';

interface Place {
  readonly tenantId: string;
  readonly reportId: string;
}

/** Reports of scans for whoever prints them. */
export interface DataReports {
  get(
    scope: Scope,
    place: Place,
  ): Promise<
    | {
        readonly report: DataManagementReport;
        readonly ages: readonly { readonly age: AgeBucket; readonly files: number; readonly bytes: number }[];
      }
    | undefined
  >;
  /** The sites and drives of a report, those with most bytes in earlier versions first. */
  sites(scope: Scope, place: Place, query: { readonly limit: number; readonly cursor?: string }): Promise<Page<DataManagementAccount>>;
}

export function createDataReports(database: Database): DataReports {
  return Object.freeze<DataReports>({
    get: (scope, place) => database.within(scope, (tx) => reportWithAges(tx, place)),
    async sites(scope, place, query) {
      const page = await database.within(scope, (tx) => accountsPage(tx, place, { ...query, sort: '-versionBytes' }));
      if (!page) throw new AppError('not-found');
      return page;
    },
  });
}
