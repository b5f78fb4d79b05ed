import { workers } from '@holdfast/contract/workers';
import type { Worker } from '@holdfast/contract/workers';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useMay } from '../../api/portal-context.ts';
import { useChange } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { CommandBar } from '../../ui/command-bar.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { DetailDrawer } from '../../ui/detail-drawer.tsx';
import { Facts, Row } from '../../ui/layout.tsx';
import { Moment } from '../../ui/moment.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { WorkerChecks } from './worker-checks.tsx';

export interface WorkerDetailsProps {
  readonly worker: Worker;
  readonly onEdit: () => void;
  readonly onClose: () => void;
}

/** One worker: what is known of it, and how often it answered in the last 30 days. */
export function WorkerDetails({ worker, onEdit, onClose }: WorkerDetailsProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const mayManage = useMay('workers.manage');
  const [asked, setAsked] = useState(false);
  const remove = useChange(workers.remove, { success: 'successes.workerRemoved' });
  const edit = { id: 'edit', label: text('common.edit'), run: onEdit, isPrimary: true };
  // The worker inside the server is there as long as that is.
  const leave = worker.isLocal ? [] : [{ id: 'remove', label: text('common.remove'), run: () => setAsked(true) }];
  return (
    <DetailDrawer title={worker.name} onClose={onClose}>
      {mayManage && <CommandBar commands={[edit, ...leave]} />}
      <Row>
        <StatusBadge status={worker.isReachable ? 'reachable' : 'unreachable'} />
      </Row>
      <Facts
        items={[
          [text('signIn.workerAddress'), worker.ip],
          [text('signIn.workerIndex'), worker.indexIp],
          [text('signIn.workerVersion'), worker.version],
          [text('workers.lastSeen'), <Moment key="at" at={worker.lastSeenAt} />],
          [text('workers.load'), format.percent(worker.load)],
          [text('workers.running'), format.count(worker.runningRuns)],
        ]}
      />
      <WorkerChecks ip={worker.ip} />
      {asked && (
        <ConfirmDialog
          title={text('confirmations.removeWorkerTitle', { name: worker.name })}
          text={text('confirmations.removeWorkerText')}
          button={text('common.remove')}
          destructive
          busy={remove.isPending}
          onClose={() => setAsked(false)}
          onConfirm={() => remove.mutate({ params: { workerId: worker.workerId } }, { onSuccess: onClose, onError: () => setAsked(false) })}
        />
      )}
    </DetailDrawer>
  );
}
