import { MessageBar, MessageBarBody } from '@fluentui/react-components';
import { tenants } from '@holdfast/contract/tenants';
import type { Tenant } from '@holdfast/contract/tenants';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useMay } from '../../api/portal-context.ts';
import { useChange } from '../../api/queries.ts';
import { useCodeText } from '../../i18n/use-code-text.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { CommandBar } from '../../ui/command-bar.tsx';
import type { Command } from '../../ui/command-bar.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { DetailDrawer } from '../../ui/detail-drawer.tsx';
import { Facts, Row } from '../../ui/layout.tsx';
import { Moment } from '../../ui/moment.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { SwitchTenantDialog } from './switch-tenant-dialog.tsx';
import { TaskProgress } from './task-progress.tsx';
import { tenantStatus } from './tenant-status.ts';

type Asked = 'switch' | 'deprovision' | 'delete' | null;

export interface TenantDetailsProps {
  readonly tenant: Tenant;
  readonly onEdit: () => void;
  readonly onClose: () => void;
}

/** One tenant: what is known of it, and what can be done with it. */
export function TenantDetails({ tenant, onEdit, onClose }: TenantDetailsProps): ReactElement {
  const codeText = useCodeText();
  const [asked, setAsked] = useState<Asked>(null);
  const [started, setTask] = useState<string | null>(null);
  // Somebody else may have started it, or it was started before the drawer was closed.
  const task = started ?? tenant.taskId;
  const commands = useCommands({ tenant, onEdit, onAsk: setAsked, onTask: setTask });
  return (
    <DetailDrawer title={tenant.displayName || tenant.name} onClose={onClose}>
      <Row>
        <StatusBadge status={tenantStatus(tenant)} />
        <StatusBadge status={tenant.active ? 'active' : 'inactive'} />
      </Row>
      <CommandBar commands={commands} />
      {/* Nobody asks again for a task whose tenant has just gone. */}
      {task !== null && asked !== 'delete' && <TaskProgress tenantId={tenant.tenantId} taskId={task} />}
      {tenant.lastError !== null && (
        <MessageBar intent="error" layout="multiline">
          <MessageBarBody>{codeText(tenant.lastError)}</MessageBarBody>
        </MessageBar>
      )}
      <TenantFacts tenant={tenant} />
      {asked === 'switch' && <SwitchTenantDialog tenant={tenant} onClose={() => setAsked(null)} />}
      {asked === 'deprovision' && <DeprovisionDialog tenant={tenant} onTask={setTask} onClose={() => setAsked(null)} />}
      {asked === 'delete' && <DeleteDialog tenant={tenant} onDeleted={onClose} onClose={() => setAsked(null)} />}
    </DetailDrawer>
  );
}

interface CommandParts {
  readonly tenant: Tenant;
  readonly onEdit: () => void;
  readonly onAsk: (asked: Asked) => void;
  readonly onTask: (taskId: string) => void;
}

function useCommands({ tenant, onEdit, onAsk, onTask }: CommandParts): readonly Command[] {
  const text = useText();
  const mayManage = useMay('tenants.manage');
  const provision = useChange(tenants.provision, { success: 'successes.provisioning' });
  if (!mayManage) return [];
  const isProvisioned = tenant.status === 'provisioned';
  const isBusy = tenant.status === 'provisioning' || tenant.status === 'deprovisioning';
  const start = (): void => provision.mutate({ params: { tenantId: tenant.tenantId } }, { onSuccess: ({ taskId }) => onTask(taskId) });
  return [
    { id: 'provision', label: text('tenants.provision'), run: start, isPrimary: !isProvisioned, isDisabled: isBusy || provision.isPending },
    { id: 'edit', label: text('common.edit'), run: onEdit },
    ...(tenant.active ? [] : [{ id: 'activate', label: text('tenants.activate'), run: () => onAsk('switch') }]),
    ...(isProvisioned ? [{ id: 'deprovision', label: text('tenants.deprovision'), run: () => onAsk('deprovision') }] : []),
    { id: 'delete', label: text('common.delete'), run: () => onAsk('delete'), isDisabled: isBusy },
  ];
}

function TenantFacts({ tenant }: { readonly tenant: Tenant }): ReactElement {
  const text = useText();
  const format = useFormat();
  const credential = text(tenant.credential === 'secret' ? 'tenants.secret' : 'tenants.certificate');
  const end = tenant.thumbprintEnd === null ? '' : `, ${text('tenants.thumbprintEnd', { end: tenant.thumbprintEnd })}`;
  return (
    <Facts
      items={[
        [text('common.name'), tenant.name],
        [text('tenants.microsoftTenantId'), tenant.microsoftTenantId],
        [text('tenants.clientId'), tenant.clientId],
        [text('tenants.objectId'), tenant.objectId || '–'],
        [text('tenants.appId'), tenant.appId || '–'],
        [text('tenants.redirectUri'), tenant.redirectUri || '–'],
        [text('tenants.credential'), credential + end],
        [text('tenants.expires'), format.date(tenant.credentialExpiresAt)],
        [text('tenants.lastChecked'), <Moment key="at" at={tenant.lastCheckedAt} />],
      ]}
    />
  );
}

function DeprovisionDialog({
  tenant,
  onTask,
  onClose,
}: {
  readonly tenant: Tenant;
  readonly onTask: (id: string) => void;
  readonly onClose: () => void;
}): ReactElement {
  const text = useText();
  const deprovision = useChange(tenants.deprovision, { success: 'successes.deprovisioning', failure: 'failures.deprovisionTenant' });
  return (
    <ConfirmDialog
      title={text('confirmations.deprovisionTitle', { name: tenant.name })}
      text={text('confirmations.deprovisionText')}
      button={text('confirmations.deprovisionButton')}
      destructive
      busy={deprovision.isPending}
      onClose={onClose}
      onConfirm={() =>
        deprovision.mutate(
          { params: { tenantId: tenant.tenantId } },
          {
            onSuccess: ({ taskId }) => {
              onTask(taskId);
              onClose();
            },
          },
        )
      }
    />
  );
}

function DeleteDialog({
  tenant,
  onDeleted,
  onClose,
}: {
  readonly tenant: Tenant;
  readonly onDeleted: () => void;
  readonly onClose: () => void;
}): ReactElement {
  const text = useText();
  const remove = useChange(tenants.remove, { success: 'successes.tenantDeleted', failure: 'failures.deleteTenant' });
  return (
    <ConfirmDialog
      title={text('confirmations.deleteTenantTitle', { name: tenant.name })}
      text={text('confirmations.deleteTenantText')}
      button={text('confirmations.deleteTenantButton')}
      typeName={tenant.name}
      busy={remove.isPending}
      onClose={onClose}
      onConfirm={() => remove.mutate({ params: { tenantId: tenant.tenantId } }, { onSuccess: onDeleted })}
    />
  );
}
