import { Field, Input, Link, MessageBar, MessageBarBody } from '@fluentui/react-components';
import { appSetups } from '@holdfast/contract/app-setups';
import type { AppSetup } from '@holdfast/contract/app-setups';
import { tenants } from '@holdfast/contract/tenants';
import type { ConnectionReport } from '@holdfast/contract/tenants';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { read, useChange } from '../../../api/queries.ts';
import { useCodeText } from '../../../i18n/use-code-text.ts';
import { useText } from '../../../i18n/use-text.ts';
import { faultText } from '../../../ui/form.tsx';
import { Split, Stack } from '../../../ui/layout.tsx';
import { faultsOf, tenantFieldByCode } from '../tenant-faults.ts';
import { PermissionTicks } from './permission-ticks.tsx';

/** What is typed in the last step. */
export interface Entered {
  readonly name: string;
  readonly microsoftTenantId: string;
  readonly clientId: string;
  readonly clientSecret: string;
}
export const noConnection: Entered = { name: '', microsoftTenantId: '', clientId: '', clientSecret: '' };

const ASK_EVERY_MS = 5_000;
const guid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Both identifiers are there, and the secret where the app has one: now Microsoft can be asked. */
function isAskable(setup: AppSetup | null, { microsoftTenantId, clientId, clientSecret }: Entered): boolean {
  const hasProof = setup?.credential === 'certificate' || clientSecret !== '';
  return setup !== null && hasProof && guid.test(microsoftTenantId) && guid.test(clientId);
}

export interface Connection {
  /** What Microsoft has granted by now; nothing before both identifiers are there. */
  readonly report: ConnectionReport | undefined;
  readonly faults: Readonly<Record<string, readonly string[]>>;
  readonly isBusy: boolean;
  connect(): void;
}

export interface ConnectionParts {
  readonly setup: AppSetup | null;
  readonly entered: Entered;
  readonly query: { readonly organisationId?: string };
  readonly onConnected: (tenantId: string) => void;
}

/** Asks what was granted until everything is, and connects the tenant. */
export function useConnection({ setup, entered, query, onConnected }: ConnectionParts): Connection {
  const { name, microsoftTenantId, clientId, clientSecret } = entered;
  const connect = useChange(tenants.connect, { success: 'successes.tenantCreated', failure: 'failures.createTenant' });
  const proof = clientSecret === '' ? {} : { clientSecret };
  const isAsked = isAskable(setup, entered);
  const checked = useQuery({
    ...read(appSetups.check, {
      params: { setupId: setup?.setupId ?? '' },
      query,
      body: { microsoftTenantId, clientId, ...proof },
      quiet: true,
    }),
    enabled: isAsked && !connect.isPending && !connect.isSuccess,
    refetchInterval: ({ state }) => (setup !== null && state.data !== undefined && areGranted(setup, state.data) ? false : ASK_EVERY_MS),
  });
  return {
    report: isAsked ? checked.data : undefined,
    faults: faultsOf(connect.error, tenantFieldByCode),
    isBusy: connect.isPending,
    connect() {
      if (setup === null) return;
      const body = { name, microsoftTenantId, clientId, ...proof, setupId: setup.setupId, ...query };
      connect.mutate({ body }, { onSuccess: (tenant) => onConnected(tenant.tenantId) });
    },
  };
}

/** Whether everything that was asked for is granted. */
function areGranted(setup: AppSetup, report: ConnectionReport): boolean {
  const states = new Map(report.permissions.map(({ permission, state }) => [permission, state]));
  return setup.permissions.every(({ permission }) => states.get(permission) === 'granted');
}

export interface SetupConnectionProps {
  readonly setup: AppSetup;
  readonly entered: Entered;
  readonly connection: Connection;
  readonly onChange: (entered: Entered) => void;
}

/** The identifiers that the script has printed, and the permissions as they arrive. */
export function SetupConnection({ setup, entered, connection, onChange }: SetupConnectionProps): ReactElement {
  const text = useText();
  const codeText = useCodeText();
  const { microsoftTenantId: tenant, clientId: client } = entered;
  const consentUrl = setup.consentUrl.replace('{tenant}', tenant).replace('{client}', client);
  return (
    <Split>
      <Stack>
        <Entry name="name" label={text('common.name')} {...{ entered, connection, onChange }} hint={text('setups.nameHint')} />
        <Entry name="microsoftTenantId" label={text('setups.directoryId')} {...{ entered, connection, onChange }} />
        <Entry name="clientId" label={text('setups.applicationId')} {...{ entered, connection, onChange }} />
        {setup.credential === 'secret' && (
          <Entry name="clientSecret" label={text('tenants.secret')} isSecret {...{ entered, connection, onChange }} />
        )}
        {isAskable(setup, entered) && (
          <Link href={consentUrl} target="_blank" rel="noreferrer">
            {text('setups.consent')}
          </Link>
        )}
        {connection.report?.problem != null && (
          <MessageBar intent="info" layout="multiline">
            <MessageBarBody>
              {codeText(connection.report.problem)} {text('setups.askingAgain')}
            </MessageBarBody>
          </MessageBar>
        )}
      </Stack>
      <PermissionTicks asked={setup.permissions} report={connection.report} />
    </Split>
  );
}

interface EntryProps extends Pick<SetupConnectionProps, 'entered' | 'connection' | 'onChange'> {
  readonly name: keyof Entered;
  readonly label: string;
  readonly hint?: string;
  readonly isSecret?: boolean;
}

function Entry({ name, label, hint, isSecret = false, entered, connection, onChange }: EntryProps): ReactElement {
  const text = useText();
  const fault = faultText(connection.faults[name]?.[0], text);
  return (
    <Field label={label} required {...(hint === undefined ? {} : { hint })} {...(fault === undefined ? {} : { validationMessage: fault })}>
      <Input
        type={isSecret ? 'password' : 'text'}
        autoComplete="off"
        value={entered[name]}
        onChange={(_event, { value }) => onChange({ ...entered, [name]: isSecret ? value : value.trimStart() })}
      />
    </Field>
  );
}
