import { ArrowImportRegular } from '@fluentui/react-icons';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { JobsPage, type JobArea } from '../jobs/index.ts';
import { WithTenant } from '../tenants/index.ts';
import { ImportDrawer } from './import-drawer.tsx';

const area: JobArea = {
  base: '/archive/jobs',
  monitor: '/archive/job-monitor',
  tableId: 'archive-jobs',
  types: ['archive'],
  alsoListed: ['import'],
  withoutWorkload: ['import'],
  workload: 'exchange',
  empty: 'archive.noJob',
};

/** `/archive/jobs` */
export default function ArchiveJobsPage(): ReactElement {
  const text = useText();
  const [isImporting, setImporting] = useState(false);
  const command = { id: 'import', label: text('imports.open'), icon: <ArrowImportRegular />, run: () => setImporting(true) };
  return (
    <>
      <JobsPage area={area} title={text('shell.archiveJobs')} lead={text('archive.jobsLead')} commands={[command]} />
      {isImporting && <WithTenant>{({ tenantId }) => <ImportDrawer tenantId={tenantId} onClose={() => setImporting(false)} />}</WithTenant>}
    </>
  );
}
