import { MessageBar, MessageBarBody } from '@fluentui/react-components';
import { accounts } from '@holdfast/contract/identity';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { read } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { FailedState } from '../../ui/empty-state.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import { Page } from '../../ui/page.tsx';
import { DataCard } from './profile/data-card.tsx';
import { PasswordCard } from './profile/password-card.tsx';
import { SessionsCard } from './profile/sessions-card.tsx';
import { TwoFactorCard } from './profile/two-factor-card.tsx';

/** `/account/profile`: one's own data, password, second factor and devices. */
export default function ProfilePage(): ReactElement {
  const text = useText();
  const account = useQuery(read(accounts.account, { quiet: true }));
  const isBlocked = account.error instanceof ApiError && account.error.code === 'identity.second-factor-required';
  return (
    <Page title={text('shell.myProfile')}>
      {account.isPending && <LoadingShape rows={4} height={64} />}
      {isBlocked && (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>{text('profile.required')}</MessageBarBody>
        </MessageBar>
      )}
      {account.isError && !isBlocked && <FailedState error={account.error} onRetry={() => void account.refetch()} />}
      {(isBlocked || account.data !== undefined) && (
        <Stack loose>
          {account.data !== undefined && <DataCard account={account.data} />}
          {account.data !== undefined && <PasswordCard />}
          <TwoFactorCard />
          {account.data !== undefined && <SessionsCard />}
        </Stack>
      )}
    </Page>
  );
}
