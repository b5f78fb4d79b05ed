import { ArrowImportRegular, MailInboxRegular } from '@fluentui/react-icons';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useMay } from '../../api/portal-context.ts';
import { useText } from '../../i18n/use-text.ts';
import { JobsPage, type JobArea } from '../jobs/index.ts';
import { ReceiverDrawer } from '../receivers/index.ts';
import { WithTenant } from '../tenants/index.ts';
import { ImportDrawer } from './import-drawer.tsx';

const area: JobArea = {
  base: '/archive/jobs',
  monitor: '/archive/job-monitor',
  tableId: 'archive-jobs',
  types: ['archive'],
  alsoListed: ['import'],
  listsAll: true,
  withoutWorkload: ['import'],
  workload: 'exchange',
  empty: 'archive.noJob',
};

/** `/archive/jobs` */
export default function ArchiveJobsPage(): ReactElement {
  const text = useText();
  const [isImporting, setImporting] = useState(false);
  const [isReceiving, setReceiving] = useState(false);
  const mayReceive = useMay('receivers.manage');
  const command = { id: 'import', label: text('imports.open'), icon: <ArrowImportRegular />, run: () => setImporting(true) };
  const receiver = { id: 'receiver', label: text('receivers.open'), icon: <MailInboxRegular />, run: () => setReceiving(true) };
  const commands = mayReceive ? [command, receiver] : [command];
  return (
    <>
      <JobsPage area={area} title={text('shell.archiveJobs')} lead={text('archive.jobsLead')} commands={commands} />
      {isImporting && <WithTenant>{({ tenantId }) => <ImportDrawer tenantId={tenantId} onClose={() => setImporting(false)} />}</WithTenant>}
      {isReceiving && (
        <WithTenant>{({ tenantId }) => <ReceiverDrawer tenantId={tenantId} onClose={() => setReceiving(false)} />}</WithTenant>
      )}
    </>
  );
}
