import { Button } from '@fluentui/react-components';
import { locationBody, locations, locationUpdateBody } from '@holdfast/contract/locations';
import type { Location } from '@holdfast/contract/locations';
import { useWatch } from 'react-hook-form';
import { useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { useChange, useUpdate } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { DetailDrawer } from '../../ui/detail-drawer.tsx';
import { Row } from '../../ui/layout.tsx';
import { CheckField, RadioField, SelectField } from '../../ui/choice-fields.tsx';
import { TextField } from '../../ui/fields.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { Form, showServerFaults, useSchemaForm } from '../../ui/form.tsx';
import { ApprovalHint } from './approval-hint.tsx';
import { LocationTestResult } from './location-test-result.tsx';
import { faultsOf } from './tenant-faults.ts';

const fieldByCode: Readonly<Record<string, string>> = {
  'locations.name-taken': 'name',
  'locations.path-refused': 'path',
  'locations.host-refused': 'endpoint',
  'locations.immutability-shortened': 'immutability.days',
};

export interface LocationFormProps {
  readonly tenantId: string;
  readonly location: Location | null;
  readonly onClose: () => void;
}

/** Adds a location, which is tested before it is saved, or changes what may change of one. */
export function LocationForm({ tenantId, location, onClose }: LocationFormProps): ReactElement {
  if (location === null) return <NewForm tenantId={tenantId} onClose={onClose} />;
  return <EditForm tenantId={tenantId} location={location} onClose={onClose} />;
}

const start = { kind: 'filesystem', name: '', path: '', use: 'both', immutability: { mode: 'none', days: 0 }, retainDays: 0 } as const;

function NewForm({ tenantId, onClose }: Omit<LocationFormProps, 'location'>): ReactElement {
  const text = useText();
  const create = useChange(locations.create, { success: 'successes.locationCreated', failure: 'failures.createLocation' });
  const test = useChange(locations.test);
  const form = useSchemaForm(locationBody, start);
  const kind = useWatch({ control: form.control, name: 'kind' });
  const { clearErrors, subscribe } = form;
  // What was wrong with a folder is no fault of a bucket.
  useEffect(() => subscribe({ name: 'kind', formState: { values: true }, callback: () => clearErrors() }), [subscribe, clearErrors]);
  const fields = { ...fieldByCode, 'locations.overlaps': kind === 's3' ? 'bucket' : 'path' };
  const showFaults = (error: unknown): void => void showServerFaults(form, faultsOf(error, fields));
  const handleTest = form.handleSubmit((body) => test.mutate({ params: { tenantId }, body }, { onError: showFaults }));
  return (
    <DetailDrawer title={text('tenants.newLocation')} onClose={onClose}>
      <Form
        form={form}
        label={text('tenants.newLocation')}
        onSubmit={(body) => create.mutate({ params: { tenantId }, body }, { onSuccess: onClose, onError: showFaults })}
      >
        <RadioField
          name="kind"
          label={text('tenants.kind')}
          choices={[
            { value: 'filesystem', label: text('tenants.filesystem') },
            { value: 's3', label: text('tenants.s3') },
          ]}
        />
        <TextField name="name" label={text('common.name')} required />
        {kind === 'filesystem' ? (
          <TextField name="path" label={text('tenants.path')} hint={text('tenants.pathHint')} required />
        ) : (
          <BucketFields />
        )}
        <SharedFields />
        {test.data !== undefined && <LocationTestResult test={test.data} />}
        <Row>
          <Button disabledFocusable={test.isPending} onClick={() => void handleTest()}>
            {text('tenants.testLocation')}
          </Button>
        </Row>
        <FormButtons isBusy={create.isPending} submit={text('tenants.newLocation')} onClose={onClose} />
      </Form>
    </DetailDrawer>
  );
}

function BucketFields(): ReactElement {
  const text = useText();
  return (
    <>
      <TextField name="bucket" label={text('tenants.bucket')} required />
      <TextField name="region" label={text('tenants.region')} required />
      <TextField name="endpoint" label={text('tenants.endpoint')} hint={text('tenants.endpointHint')} isOptional />
      <TextField name="prefix" label={text('tenants.prefix')} isOptional />
      <CheckField name="forcePathStyle" label={text('tenants.forcePathStyle')} />
      <TextField name="accessKeyId" label={text('tenants.accessKeyId')} autoComplete="off" required />
      <TextField name="secretAccessKey" label={text('tenants.secretAccessKey')} type="password" autoComplete="off" required />
    </>
  );
}

function SharedFields(): ReactElement {
  const text = useText();
  return (
    <>
      <SelectField
        name="use"
        label={text('tenants.use')}
        choices={[
          { value: 'both', label: text('tenants.useBoth') },
          { value: 'backup', label: text('tenants.useBackup') },
          { value: 'archive', label: text('tenants.useArchive') },
        ]}
      />
      <SelectField
        name="immutability.mode"
        label={text('tenants.lock')}
        choices={[
          { value: 'none', label: text('tenants.lockNone') },
          { value: 'governance', label: text('tenants.lockGovernance') },
          { value: 'compliance', label: text('tenants.lockCompliance') },
        ]}
      />
      <TextField name="immutability.days" label={text('tenants.lockDays')} type="number" />
      <TextField name="retainDays" label={text('tenants.retainDays')} type="number" />
    </>
  );
}

function EditForm({ tenantId, location, onClose }: LocationFormProps & { readonly location: Location }): ReactElement {
  const text = useText();
  const update = useUpdate(locations.update, locations.get, { success: 'successes.locationUpdated', failure: 'failures.updateLocation' });
  const [seen] = useState(location);
  const { name, use, immutability, retainDays } = location;
  const form = useSchemaForm(locationUpdateBody, { name, use, immutability, retainDays });
  const wished = useWatch({ control: form.control, name: 'retainDays' });
  return (
    <DetailDrawer title={location.name} onClose={onClose}>
      <Form
        form={form}
        label={text('common.edit')}
        onSubmit={(body) =>
          update.save(
            { params: { tenantId, locationId: location.locationId }, body },
            seen,
            onClose,
            (error) => void showServerFaults(form, faultsOf(error, fieldByCode)),
          )
        }
      >
        <TextField name="name" label={text('common.name')} />
        <SharedFields />
        {Number(wished) < retainDays && <ApprovalHint tenantId={tenantId} />}
        {location.kind === 's3' && (
          <>
            <TextField
              name="accessKeyId"
              label={text('tenants.accessKeyId')}
              hint={text('tenants.keysKept')}
              autoComplete="off"
              isOptional
            />
            <TextField name="secretAccessKey" label={text('tenants.secretAccessKey')} type="password" autoComplete="off" isOptional />
          </>
        )}
        <FormButtons isBusy={update.isPending} submit={text('common.save')} onClose={onClose} />
      </Form>
    </DetailDrawer>
  );
}
