import { tenantBody, tenants, tenantUpdateBody } from '@holdfast/contract/tenants';
import type { Tenant } from '@holdfast/contract/tenants';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useChosenWorker } from '../../api/portal-context.ts';
import { useChange, useUpdate } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { DetailDrawer } from '../../ui/detail-drawer.tsx';
import { TextAreaField, TextField } from '../../ui/fields.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { Form, showServerFaults, useSchemaForm } from '../../ui/form.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { faultsOf, tenantFieldByCode } from './tenant-faults.ts';

const credentialKinds = ['secret', 'certificate'] as const;

/** Connects a tenant, or edits one. The stored secret is never shown; an empty field keeps it. */
export function TenantForm({ tenant, onClose }: { readonly tenant: Tenant | null; readonly onClose: () => void }): ReactElement {
  return tenant === null ? <ConnectForm onClose={onClose} /> : <EditForm tenant={tenant} onClose={onClose} />;
}

function ConnectForm({ onClose }: { readonly onClose: () => void }): ReactElement {
  const text = useText();
  const chosen = useChosenWorker();
  const connect = useChange(tenants.connect, { success: 'successes.tenantCreated', failure: 'failures.createTenant' });
  const form = useSchemaForm(tenantBody, {
    name: '',
    displayName: '',
    clientId: '',
    microsoftTenantId: '',
    objectId: '',
    appId: '',
    redirectUri: '',
  });
  return (
    <DetailDrawer title={text('tenants.connect')} onClose={onClose}>
      <Form
        form={form}
        label={text('tenants.connect')}
        onSubmit={(values) =>
          connect.mutate(
            { body: { ...values, ...(chosen === null ? {} : { organisationId: chosen.clientId }) } },
            { onSuccess: onClose, onError: (error) => void showServerFaults(form, faultsOf(error, tenantFieldByCode)) },
          )
        }
      >
        <TenantFields isStored={false} />
        <FormButtons isBusy={connect.isPending} submit={text('tenants.connect')} onClose={onClose} />
      </Form>
    </DetailDrawer>
  );
}

function EditForm({ tenant, onClose }: { readonly tenant: Tenant; readonly onClose: () => void }): ReactElement {
  const text = useText();
  const update = useUpdate(tenants.update, tenants.get, { success: 'successes.tenantUpdated', failure: 'failures.updateTenant' });
  const [seen] = useState(tenant);
  const { name, displayName, clientId, microsoftTenantId, objectId, appId, redirectUri } = tenant;
  const form = useSchemaForm(tenantUpdateBody, { name, displayName, clientId, microsoftTenantId, objectId, appId, redirectUri });
  return (
    <DetailDrawer title={tenant.displayName || tenant.name} onClose={onClose}>
      <Form
        form={form}
        label={text('common.edit')}
        onSubmit={(body) =>
          update.save(
            { params: { tenantId: tenant.tenantId }, body },
            seen,
            onClose,
            (error) => void showServerFaults(form, faultsOf(error, tenantFieldByCode)),
          )
        }
      >
        <TenantFields isStored />
        <FormButtons isBusy={update.isPending} submit={text('common.save')} onClose={onClose} />
      </Form>
    </DetailDrawer>
  );
}

function TenantFields({ isStored }: { readonly isStored: boolean }): ReactElement {
  const text = useText();
  const [kind, setKind] = useState<(typeof credentialKinds)[number]>('secret');
  const hint = isStored ? text('tenants.secretKept') : text(kind === 'secret' ? 'tenants.secretHint' : 'tenants.certificateHint');
  return (
    <>
      <TextField name="name" label={text('common.name')} required={!isStored} />
      <TextField name="displayName" label={text('tenants.displayName')} />
      <TextField name="microsoftTenantId" label={text('tenants.microsoftTenantId')} required={!isStored} />
      <TextField name="clientId" label={text('tenants.clientId')} required={!isStored} />
      <Tabs isSmall names={credentialKinds} selected={kind} word={(name) => text(`tenants.${name}`)} onSelect={setKind} />
      {kind === 'secret' ? (
        <TextField name="clientSecret" label={text('tenants.secret')} type="password" autoComplete="off" hint={hint} isOptional />
      ) : (
        <>
          <TextAreaField name="certificate" label={text('tenants.certificate')} hint={hint} isOptional />
          <TextField name="thumbprint" label={text('tenants.thumbprint')} isOptional />
        </>
      )}
      <TextField name="objectId" label={text('tenants.objectId')} />
      <TextField name="appId" label={text('tenants.appId')} />
      <TextField name="redirectUri" label={text('tenants.redirectUri')} />
    </>
  );
}
