import { AddRegular } from '@fluentui/react-icons';
import { members } from '@holdfast/contract/members';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { useChosenWorker, useMay, usePortal } from '../../api/portal-context.ts';
import { read } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { Address } from '../../ui/address.tsx';
import { CommandBar } from '../../ui/command-bar.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column, Filter } from '../../ui/data-table/types.ts';
import { MissingDetail } from '../../ui/detail-drawer.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Page } from '../../ui/page.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { useDetail } from '../../ui/use-detail.ts';
import { ApiKeysCard } from './api-keys-card.tsx';
import { InviteForm } from './invite-form.tsx';
import type { Member } from './member.ts';
import { MemberDetails } from './member-details.tsx';
import { ContentAccessCard } from './content-access-card.tsx';
import { SignInRulesCard } from './sign-in-rules-card.tsx';
import { MicrosoftSignInCard } from './microsoft-sign-in-card.tsx';
import { OrganisationCard } from './organisation-card.tsx';

const base = '/configuration/users';
const tabs = ['users', 'organisation', 'signIn', 'access', 'apiKeys'] as const;

/** `/configuration/users`: who belongs to the organisation, and the settings that apply to all of them. */
export default function UsersPage(): ReactElement {
  const text = useText();
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const chosen = useChosenWorker();
  const mayManage = useMay('members.manage');
  const detail = useDetail(base);
  const query = chosen === null ? {} : { organisationId: chosen.clientId };
  const tab = tabs.find((name) => name === params.get('tab')) ?? 'users';
  const invite = { id: 'invite', label: text('members.invite'), icon: <AddRegular />, run: detail.create, isPrimary: true };
  return (
    <Page
      title={text('shell.users')}
      lead={text('members.lead')}
      commands={mayManage && tab === 'users' && <CommandBar commands={[invite]} />}
    >
      <Tabs
        names={tabs}
        selected={tab}
        word={(name) => text(`members.tabs.${name}`)}
        onSelect={(name) => void navigate(name === 'users' ? base : `${base}?tab=${name}`)}
      />
      {tab === 'users' && <UserList query={query} detail={detail} />}
      {tab === 'organisation' && <OrganisationCard />}
      {tab === 'signIn' && (
        <>
          <SignInRulesCard query={query} />
          <MicrosoftSignInCard query={query} />
        </>
      )}
      {tab === 'access' && <ContentAccessCard />}
      {tab === 'apiKeys' && <ApiKeysCard query={query} />}
    </Page>
  );
}

interface ListProps {
  readonly query: { readonly organisationId?: string };
  readonly detail: ReturnType<typeof useDetail>;
}

function UserList({ query, detail }: ListProps): ReactElement {
  const text = useText();
  const { toasts } = usePortal();
  const mayManage = useMay('members.manage');
  const [link, setLink] = useState<string | null>(null);
  const list = useQuery(read(members.list, { query, quiet: true }));
  const columns = useColumns();
  const filters: readonly Filter[] = [
    {
      id: 'status',
      label: text('common.status'),
      choices: (['active', 'invited', 'disabled'] as const).map((value) => ({ value, label: text(`members.${value}`) })),
    },
  ];
  const open = list.data?.items.find((member) => member.userId === detail.id) ?? null;
  return (
    <>
      {link !== null && (
        <ShownOnce
          title={text('members.linkOnce')}
          use={text('members.linkUse')}
          value={link}
          kept={text('members.linkKept')}
          onCopied={() => toasts.show('success', text('successes.copied'))}
          onDone={() => setLink(null)}
        />
      )}
      <DataTable
        id="users"
        label={text('shell.users')}
        columns={columns}
        filters={filters}
        source={{ kind: 'list', rows: list.data?.items, error: list.error, retry: () => void list.refetch() }}
        rowKey={(member) => member.userId}
        rowName={(member) => member.email}
        onOpen={(member) => detail.view(member.userId)}
        empty={<EmptyState text={text('members.empty')} />}
      />
      {detail.mode === 'new' && mayManage && <InviteForm query={query} onLink={setLink} onClose={detail.close} />}
      {detail.mode === 'view' && open !== null && <MemberDetails member={open} query={query} onLink={setLink} onClose={detail.close} />}
      <MissingDetail detail={detail} ids={list.data?.items.map((member) => member.userId)} />
    </>
  );
}

function useColumns(): readonly Column<Member>[] {
  const text = useText();
  const format = useFormat();
  const nameOf = (row: Member): string => `${row.firstName} ${row.lastName}`.trim() || '–';
  return [
    {
      id: 'email',
      title: text('common.email'),
      sort: 'email',
      width: 260,
      value: (row) => row.email,
      render: (row) => <Address value={row.email} />,
    },
    { id: 'name', title: text('common.name'), sort: 'name', value: nameOf, render: nameOf },
    {
      id: 'role',
      title: text('members.role'),
      sort: 'role',
      value: (row) => text(`roles.${row.role}`),
      render: (row) => text(`roles.${row.role}`),
    },
    {
      id: 'status',
      title: text('common.status'),
      sort: 'status',
      value: (row) => text(`members.${row.status}`),
      render: (row) => text(`members.${row.status}`),
    },
    {
      id: 'twoFactor',
      title: text('members.twoFactor'),
      value: (row) => text(row.isTwoFactorEnabled ? 'members.on' : 'members.off'),
      render: (row) => text(row.isTwoFactorEnabled ? 'members.on' : 'members.off'),
    },
    {
      id: 'lastSignInAt',
      title: text('members.lastSignIn'),
      sort: 'lastSignInAt',
      value: (row) => format.iso(row.lastSignInAt),
      render: (row) => <Moment at={row.lastSignInAt} />,
    },
  ];
}
