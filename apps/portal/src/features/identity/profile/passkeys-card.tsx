import { Badge, Button, Card, Subtitle2, Text } from '@fluentui/react-components';
import { passkeys } from '@holdfast/contract/passkeys';
import type { ResponseOf } from '@holdfast/contract/route';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { read } from '../../../api/queries.ts';
import { useFormat, useText } from '../../../i18n/use-text.ts';
import { useColumnKinds } from '../../../ui/data-table/column-kinds.tsx';
import { DataTable } from '../../../ui/data-table/data-table.tsx';
import type { Column } from '../../../ui/data-table/types.ts';
import { FailedState } from '../../../ui/empty-state.tsx';
import { Row } from '../../../ui/layout.tsx';
import { LoadingShape } from '../../../ui/loading-shape.tsx';
import { Moment } from '../../../ui/moment.tsx';
import { knowsPasskeys } from '../passkey.ts';
import { AddPasskey } from './add-passkey.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { RemovePasskey, type PasskeyRow } from './remove-passkey.tsx';

type Asked = PasskeyRow | 'add' | null;

/** One's passkeys: added with the device at hand, removed when it is gone. */
export function PasskeysCard({ onDone }: { readonly onDone: () => void }): ReactElement {
  const text = useText();
  const { data, isPending, error, refetch } = useQuery(read(passkeys.list, { quiet: true }));
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const handleDone = (): void => {
    setCodes(null);
    onDone();
  };
  return (
    <Card>
      <Subtitle2 as="h2">{text('profile.passkeys')}</Subtitle2>
      {isPending && <LoadingShape rows={1} />}
      {error !== null && <FailedState error={error} onRetry={() => void refetch()} />}
      {codes !== null && <RecoveryCodes codes={codes} onDone={handleDone} />}
      {data !== undefined && <Passkeys {...data} isBusy={codes !== null} onCodes={setCodes} />}
    </Card>
  );
}

type PasskeysProps = ResponseOf<typeof passkeys.list> & {
  /** Recovery codes are shown, and nothing comes between. */
  readonly isBusy: boolean;
  readonly onCodes: (codes: readonly string[] | null) => void;
};

function Passkeys({ isPossible, items, isBusy, onCodes }: PasskeysProps): ReactElement {
  const text = useText();
  const [asked, setAsked] = useState<Asked>(null);
  const columns = useColumns(setAsked);
  const close = (): void => setAsked(null);
  const isOffered = isPossible && knowsPasskeys();
  return (
    <>
      <Text>{text(isOffered ? 'profile.passkeysLead' : 'profile.passkeysNotPossible')}</Text>
      {items.length > 0 && (
        <DataTable
          id="passkeys"
          label={text('profile.passkeys')}
          columns={columns}
          isSearchable={false}
          source={{ kind: 'list', rows: items, error: null, retry: () => undefined }}
          rowKey={(row) => row.passkeyId}
          rowName={(row) => row.name}
          empty={null}
        />
      )}
      {isOffered && !isBusy && (
        <Row>
          <Button onClick={() => setAsked('add')}>{text('profile.addPasskey')}</Button>
        </Row>
      )}
      {asked === 'add' && <AddPasskey onClose={close} onCodes={onCodes} />}
      {asked !== null && asked !== 'add' && <RemovePasskey passkey={asked} onClose={close} />}
    </>
  );
}

function useColumns(onAsk: (row: PasskeyRow) => void): readonly Column<PasskeyRow>[] {
  const text = useText();
  const format = useFormat();
  const { actions } = useColumnKinds<PasskeyRow>();
  return [
    {
      id: 'name',
      title: text('common.name'),
      width: 320,
      value: (row) => row.name,
      render: (row) => (
        <>
          {row.name} {row.isOfOtherAddress && <Badge appearance="tint">{text('profile.passkeyElsewhere')}</Badge>}
        </>
      ),
    },
    {
      id: 'createdAt',
      title: text('profile.passkeyAddedAt'),
      sort: 'createdAt',
      value: (row) => format.iso(row.createdAt),
      render: (row) => <Moment at={row.createdAt} />,
    },
    {
      id: 'lastUsedAt',
      title: text('profile.passkeyUsedAt'),
      sort: 'lastUsedAt',
      value: (row) => (row.lastUsedAt === null ? text('profile.passkeyUnused') : format.iso(row.lastUsedAt)),
      render: (row) => (row.lastUsedAt === null ? text('profile.passkeyUnused') : <Moment at={row.lastUsedAt} />),
    },
    actions((row) => (
      <Button size="small" onClick={() => onAsk(row)}>
        {text('profile.removePasskey')}
      </Button>
    )),
  ];
}
