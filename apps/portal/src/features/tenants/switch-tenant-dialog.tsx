import { configuration } from '@holdfast/contract/configuration';
import type { Tenant } from '@holdfast/contract/tenants';
import type { ReactElement } from 'react';
import { usePortal } from '../../api/portal-context.ts';
import { useChange } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';

/** Asks before all pages show another tenant. */
export function SwitchTenantDialog({ tenant, onClose }: { readonly tenant: Tenant; readonly onClose: () => void }): ReactElement {
  const text = useText();
  const { toasts } = usePortal();
  const change = useChange(configuration.switchTenant, { failure: 'failures.switchTenant' });
  const name = tenant.displayName || tenant.name;
  return (
    <ConfirmDialog
      title={text('confirmations.switchTenantTitle', { name })}
      text={text('confirmations.switchTenantText')}
      button={text('confirmations.switchTenantButton')}
      busy={change.isPending}
      onClose={onClose}
      onConfirm={() =>
        change.mutate(
          { body: { tenantId: tenant.tenantId } },
          {
            onSuccess: () => {
              toasts.show('success', text('successes.tenantSwitched', { name }));
              onClose();
            },
          },
        )
      }
    />
  );
}
