import { Badge, Button, Card, CardHeader, MessageBar, MessageBarBody, Subtitle2, Text } from '@fluentui/react-components';
import { accounts } from '@holdfast/contract/identity';
import { selection } from '@holdfast/contract/workers';
import type { Client, Worker } from '@holdfast/contract/workers';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ReactElement } from 'react';
import { useNavigate } from 'react-router';
import { useChosenWorker, usePortal } from '../../api/portal-context.ts';
import { read, useChange } from '../../api/queries.ts';
import { useStore } from '../../api/store.ts';
import { choiceOf } from '../../api/worker-choice.ts';
import { useText } from '../../i18n/use-text.ts';
import { EmptyState, FailedState } from '../../ui/empty-state.tsx';
import { CardGrid, Facts, Row, Stack } from '../../ui/layout.tsx';
import { Page } from '../../ui/page.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';

/** `/select-worker`: whom to work for. Chosen by itself where there is just one. */
export default function SelectWorkerPage(): ReactElement {
  const text = useText();
  const chosen = useChosenWorker();
  const clients = useQuery(read(selection.clients, { quiet: true }));
  const choose = useChoose();
  const only = onlyChoice(clients.data?.items ?? []);
  useEffect(() => {
    if (only !== null && chosen === null) choose(only.client, only.worker);
    // Chosen once, when the list has arrived.
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the answer of the list is what starts it
  }, [clients.data]);
  return (
    <Page title={text('signIn.selectTitle')} lead={text('signIn.selectLead')}>
      {chosen === null && (
        <MessageBar layout="multiline">
          <MessageBarBody>{text('validation.workerMissing')}</MessageBarBody>
        </MessageBar>
      )}
      {clients.isPending && <LoadingShape rows={3} />}
      {clients.isError && <FailedState error={clients.error} onRetry={() => void clients.refetch()} />}
      <WithheldNote />
      {clients.data?.items.length === 0 && <EmptyState text={text('signIn.selectNone')} />}
      <CardGrid>
        {clients.data?.items.map((client) => (
          <ClientCard key={client.clientId} client={client} onChoose={choose} />
        ))}
      </CardGrid>
    </Page>
  );
}

const closed = { network: 'members.withheldNetwork', 'second-factor': 'members.withheldFactor' } as const;

/** Organisations of the person that their own rules keep closed at the moment. */
function WithheldNote(): ReactElement | null {
  const text = useText();
  const { data } = useQuery(read(accounts.account, { quiet: true }));
  if (data === undefined || data.withheld.length === 0) return null;
  return (
    <MessageBar intent="warning" layout="multiline">
      <MessageBarBody>
        {data.withheld.map(({ organisationId, organisationName, because }) => (
          <Text key={organisationId} block>
            {organisationName}: {text(closed[because])}
          </Text>
        ))}
      </MessageBarBody>
    </MessageBar>
  );
}

function onlyChoice(clients: readonly Client[]): { readonly client: Client; readonly worker: Worker } | null {
  const [client, ...others] = clients;
  const [worker, ...more] = client?.workers ?? [];
  return client !== undefined && worker !== undefined && others.length === 0 && more.length === 0 ? { client, worker } : null;
}

function useChoose(): (client: Client, worker: Worker) => void {
  const portal = usePortal();
  const navigate = useNavigate();
  const realm = useStore(portal.realm);
  const choose = useChange(selection.choose);
  return (client, worker) =>
    choose.mutate(
      { body: { clientId: client.clientId, workerId: worker.workerId } },
      {
        onSuccess: (answer) => {
          const returnTo = portal.departure.read()?.returnTo ?? '/';
          portal.departure.write(null);
          portal.chooseWorker(choiceOf(answer.client, answer.worker, { realm, userId: portal.signIn.state.get().user?.id ?? '' }));
          void navigate(returnTo);
        },
      },
    );
}

function ClientCard({
  client,
  onChoose,
}: {
  readonly client: Client;
  readonly onChoose: (client: Client, worker: Worker) => void;
}): ReactElement {
  const text = useText();
  return (
    <Card>
      <CardHeader header={<Subtitle2 as="h2">{client.name}</Subtitle2>} />
      <Row>
        {client.types.map((type) => (
          <Badge key={type} appearance="tint" color="informative">
            {type === 'archive' ? text('shell.groupArchive') : text(`common.${type}`)}
          </Badge>
        ))}
      </Row>
      {client.workers.length === 0 && <Text>{text('signIn.noWorker')}</Text>}
      {client.workers.map((worker) => (
        <Stack key={worker.workerId}>
          <Row spread>
            <Text weight="semibold">{worker.name}</Text>
            <StatusBadge status={worker.isReachable ? 'reachable' : 'unreachable'} />
          </Row>
          <Facts
            items={[
              [text('signIn.workerAddress'), worker.ip],
              [text('signIn.workerIndex'), worker.indexIp],
              [text('signIn.workerVersion'), worker.version],
            ]}
          />
          <Row>
            <Button
              appearance="primary"
              aria-label={text('signIn.selectWorkerOf', { worker: worker.name, customer: client.name })}
              onClick={() => onChoose(client, worker)}
            >
              {text('signIn.select')}
            </Button>
          </Row>
        </Stack>
      ))}
    </Card>
  );
}
