import { AddRegular } from '@fluentui/react-icons';
import { jobs, traitsOf } from '@holdfast/contract/jobs';
import type { Job } from '@holdfast/contract/jobs';
import type { QueryFor } from '@holdfast/contract/route';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useMay } from '../../api/portal-context.ts';
import { read } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { CommandBar, MoreCommands, type Command } from '../../ui/command-bar.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { PageQuery } from '../../ui/data-table/types.ts';
import { FirstStep } from '../../ui/empty-state.tsx';
import type { Detail } from '../../ui/use-detail.ts';
import type { JobArea } from './job-area.ts';
import { JobDialog, useJobCommands } from './job-actions.tsx';
import type { JobVerb } from './job-actions.tsx';
import { useJobColumns, useJobFilters } from './job-columns.tsx';
import { JobDetails } from './job-details.tsx';

interface JobListProps {
  readonly tenantId: string;
  readonly area: JobArea;
  readonly label: string;
  readonly detail: Detail;
  readonly commands?: readonly Command[];
}

/** Running jobs move: the list follows when no event has come. */
const refetchMs = 15_000;

/** The jobs of an area, with live state. */
export function JobList({ tenantId, area, label, detail, commands = [] }: JobListProps): ReactElement {
  const text = useText();
  const mayManage = useMay(traitsOf(area.types[0]).actions.manage);
  const [asked, setAsked] = useState<{ readonly job: Job; readonly verb: JobVerb } | null>(null);
  const columns = useJobColumns(area, (job) => (
    <JobMenu job={job} onAsk={(verb) => setAsked({ job, verb })} onEdit={() => detail.edit(job.jobId)} />
  ));
  const filters = useJobFilters(area);
  const page = ({ filters: chosen, ...query }: PageQuery) => {
    const usual = area.listsAll ? [...area.types, ...area.alsoListed] : [area.types[0]];
    const type = chosen['type'] ?? usual.join(',');
    const hasWorkload = area.workload !== undefined && !area.withoutWorkload?.some((kind) => type.split(',').includes(kind));
    const given = { ...(hasWorkload ? { workload: area.workload } : {}), ...chosen, type, ...query } as QueryFor<typeof jobs.list>;
    return read(jobs.list, { params: { tenantId }, query: given, quiet: true });
  };
  return (
    <>
      {mayManage && (
        <CommandBar
          commands={[{ id: 'new', label: text('jobs.newJob'), icon: <AddRegular />, run: detail.create, isPrimary: true }, ...commands]}
        />
      )}
      <DataTable
        id={area.tableId}
        label={label}
        columns={columns}
        filters={filters}
        source={{ kind: 'pages', page, refetchMs }}
        rowKey={(job) => job.jobId}
        rowName={(job) => job.name}
        onOpen={(job) => detail.view(job.jobId)}
        empty={<FirstStep text={text(area.empty)} label={text('jobs.newJob')} may={mayManage} onClick={detail.create} />}
      />
      {detail.mode === 'view' && detail.id !== null && (
        <JobDetails
          tenantId={tenantId}
          jobId={detail.id}
          monitor={area.monitor}
          onEdit={() => detail.edit(detail.id ?? '')}
          onAsk={(job, verb) => setAsked({ job, verb })}
          onClose={detail.close}
        />
      )}
      {asked !== null && (
        <JobDialog
          tenantId={tenantId}
          job={asked.job}
          verb={asked.verb}
          onDone={() => {
            setAsked(null);
            if (asked.verb === 'remove') detail.close();
          }}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
}

interface JobMenuProps {
  readonly job: Job;
  readonly onAsk: (verb: JobVerb) => void;
  readonly onEdit: () => void;
}

function JobMenu({ job, onAsk, onEdit }: JobMenuProps): ReactElement | null {
  const text = useText();
  const commands = useJobCommands(job, { onAsk, onEdit });
  return commands.length === 0 ? null : <MoreCommands label={text('kit.rowActions', { name: job.name })} commands={commands} />;
}
