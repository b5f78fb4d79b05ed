import { MessageBar, MessageBarBody } from '@fluentui/react-components';
import { accounts } from '@holdfast/contract/identity';
import type { ResponseOf } from '@holdfast/contract/route';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useNavigate } from 'react-router';
import { ApiError } from '../../api/api-error.ts';
import { useChosenWorker, usePortal } from '../../api/portal-context.ts';
import { read } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { FailedState } from '../../ui/empty-state.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import { Page } from '../../ui/page.tsx';
import { DataCard } from './profile/data-card.tsx';
import { OrganisationsCard } from './profile/organisations-card.tsx';
import { PasskeysCard } from './profile/passkeys-card.tsx';
import { PasswordCard } from './profile/password-card.tsx';
import { SessionsCard } from './profile/sessions-card.tsx';
import { TwoFactorCard } from './profile/two-factor-card.tsx';

/** `/account/profile`: one's own data, password, second factor and devices. */
export default function ProfilePage(): ReactElement {
  const text = useText();
  const account = useQuery(read(accounts.account, { quiet: true }));
  const isBlocked = account.error instanceof ApiError && account.error.code === 'identity.second-factor-required';
  // The recovery codes are shown while the account is read again: what shows them must not go.
  const [wasBlocked, setWasBlocked] = useState(false);
  if (isBlocked && !wasBlocked) setWasBlocked(true);
  const isOpen = wasBlocked || account.data !== undefined;
  return (
    <Page title={text('shell.myProfile')}>
      {account.isPending && !isOpen && <LoadingShape rows={4} height={64} />}
      {isBlocked && (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>{text('profile.required')}</MessageBarBody>
        </MessageBar>
      )}
      {account.isError && !isBlocked && <FailedState error={account.error} onRetry={() => void account.refetch()} />}
      {isOpen && <Cards account={account.data} />}
    </Page>
  );
}

/** The second factors alone until the account can be read. Who had to set one up before anything else goes on to where they wanted. */
function Cards({ account }: { readonly account: ResponseOf<typeof accounts.account> | undefined }): ReactElement {
  const portal = usePortal();
  const worker = useChosenWorker();
  const navigate = useNavigate();
  const goOn = (): void => {
    if (worker === null) void navigate(portal.departure.read()?.returnTo ?? '/');
  };
  return (
    <Stack loose>
      {account !== undefined && <DataCard account={account} />}
      {account !== undefined && <OrganisationsCard account={account} />}
      {account !== undefined && <PasswordCard />}
      <PasskeysCard onDone={goOn} />
      <TwoFactorCard onDone={goOn} />
      {account !== undefined && <SessionsCard />}
    </Stack>
  );
}
