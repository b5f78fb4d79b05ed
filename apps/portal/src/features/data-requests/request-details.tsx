import { MessageBar, MessageBarBody } from '@fluentui/react-components';
import { dataRequests } from '@holdfast/contract/data-requests';
import type { DataRequestDetails } from '@holdfast/contract/data-requests';
import { printedReports } from '@holdfast/contract/printed-reports';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { read, useChange, useDownload } from '../../api/queries.ts';
import { nameWithAddress } from '../../i18n/name-with-address.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { CommandBar, type Command } from '../../ui/command-bar.tsx';
import { DetailDrawer, NothingThere } from '../../ui/detail-drawer.tsx';
import { Facts } from '../../ui/layout.tsx';
import { RouterLink } from '../../ui/router-link.tsx';
import { deletionAddress } from '../deletions/index.ts';
import { ExportForm } from '../exports/index.ts';
import { AnswerForm, ExtensionForm } from './request-forms.tsx';
import { RequestItems } from './request-items.tsx';
import { useRequestWords } from './request-words.ts';

interface RequestDetailsProps {
  readonly tenantId: string;
  readonly requestId: string;
  readonly onClose: () => void;
}

/** One request: its time, what was found, what is left out, the package and the answer. */
export function RequestDetails({ tenantId, requestId, onClose }: RequestDetailsProps): ReactElement | null {
  const { data, error } = useQuery(read(dataRequests.get, { params: { tenantId, requestId }, quiet: true }));
  if (error !== null) return <NothingThere onClose={onClose} />;
  return data === undefined ? null : <Opened tenantId={tenantId} request={data} onClose={onClose} />;
}

type FormName = 'extend' | 'answer' | 'pack';

interface OpenedProps {
  readonly tenantId: string;
  readonly request: DataRequestDetails;
  readonly onClose: () => void;
}

function Opened({ tenantId, request, onClose }: OpenedProps): ReactElement {
  const text = useText();
  const words = useRequestWords();
  const [form, setForm] = useState<FormName | null>(null);
  const commands = useCommands(tenantId, request, setForm);
  const { requestId, person, kind, receivedOn } = request;
  const close = (): void => setForm(null);
  const forms = { tenantId, requestId, onClose: close };
  return (
    <DetailDrawer title={`${text(`dataRequests.kinds.${kind}`)}: ${person.name}`} isWide onClose={onClose}>
      {form === 'extend' && <ExtensionForm {...forms} />}
      {form === 'answer' && <AnswerForm {...forms} />}
      {form !== 'extend' && form !== 'answer' && commands.length > 0 && <CommandBar commands={commands} />}
      <Gaps request={request} />
      <RequestFacts request={request} />
      {request.deletion !== null && (
        <RouterLink to={deletionAddress(request.deletion.deletionId)}>{text('dataRequests.openDeletion')}</RouterLink>
      )}
      {request.collected !== null && <RequestItems tenantId={tenantId} request={request} />}
      {form === 'pack' && (
        <ExportForm
          tenantId={tenantId}
          source={{ kind: 'dataRequest', requestId }}
          what={`${text('dataRequests.kinds.access')}: ${person.name}`}
          reason={text('dataRequests.packReason', { date: words.day(receivedOn) })}
          onClose={close}
        />
      )}
    </DetailDrawer>
  );
}

/** The package of a request for access, while nothing is answered. */
function usePackage(tenantId: string, requestId: string, onForm: (form: FormName) => void): readonly [pack: Command, collect: Command] {
  const text = useText();
  const collect = useChange(dataRequests.collect, { success: 'dataRequests.collected' });
  return [
    { id: 'pack', label: text('dataRequests.pack'), run: () => onForm('pack'), isPrimary: true },
    {
      id: 'collect',
      label: text('dataRequests.collect'),
      run: () => collect.mutate({ params: { tenantId, requestId } }),
      isDisabled: collect.isPending,
    },
  ];
}

/** What can be done depends on the kind of request, and ends with the answer. */
function useCommands(tenantId: string, request: DataRequestDetails, onForm: (form: FormName) => void): readonly Command[] {
  const text = useText();
  const language = useFormat().locale.startsWith('de') ? 'de' : 'en';
  const write = useDownload(printedReports.accessLetter);
  const { requestId, answer, collected, extension, daysLeft } = request;
  const [pack, collect] = usePackage(tenantId, requestId, onForm);
  const letter: Command = {
    id: 'letter',
    label: text('dataRequests.letter'),
    run: () => write.mutate({ params: { tenantId, requestId }, query: { language } }),
    isDisabled: write.isPending,
  };
  const isAccess = collected !== null;
  if (answer !== null) return isAccess ? [letter] : [];
  const extend: Command = { id: 'extend', label: text('dataRequests.extend'), run: () => onForm('extend') };
  const close: Command = { id: 'answer', label: text('dataRequests.answer'), run: () => onForm('answer') };
  const mayExtend = extension === null && (daysLeft ?? 0) >= 0;
  return [...(isAccess ? [pack, letter, collect] : []), ...(mayExtend ? [extend] : []), close];
}

/** What the package cannot have, before anybody takes it for everything. */
function Gaps({ request: { collected } }: { readonly request: DataRequestDetails }): ReactElement {
  const text = useText();
  const format = useFormat();
  const { notReached = 0, notSearched = 0 } = collected ?? {};
  const gaps = [
    ...(notReached > 0 ? [text('dataRequests.notReachedText', { items: format.count(notReached) })] : []),
    ...(notSearched > 0 ? [text('dataRequests.notSearchedText', { items: format.count(notSearched) })] : []),
  ];
  return (
    <>
      {gaps.map((gap) => (
        <MessageBar key={gap} intent="warning" layout="multiline">
          <MessageBarBody>{gap}</MessageBarBody>
        </MessageBar>
      ))}
    </>
  );
}

function RequestFacts({ request }: { readonly request: DataRequestDetails }): ReactElement {
  const text = useText();
  const format = useFormat();
  const words = useRequestWords();
  const { person, collected, exported, extension, answer } = request;
  const amount = ({ items, bytes }: { readonly items: number; readonly bytes: number }): string =>
    text('dataRequests.itemsAndSize', { items: format.count(items), size: format.bytes(bytes) });
  return (
    <Facts
      items={[
        [text('dataRequests.left'), words.left(request)],
        [text('dataRequests.person'), nameWithAddress(person)],
        [text('dataRequests.note'), request.note],
        [text('dataRequests.receivedOn'), words.day(request.receivedOn)],
        [text('dataRequests.dueOn'), words.day(request.dueOn)],
        ...(extension === null
          ? []
          : ([
              [text('dataRequests.extension'), extension.reason],
              [text('dataRequests.extendedBy'), extension.by],
            ] as const)),
        ...(collected === null
          ? []
          : ([
              [text('dataRequests.own'), amount(collected.own)],
              [text('dataRequests.mentions'), amount(collected.mention)],
              [text('dataRequests.leftOut'), format.count(collected.leftOut)],
              ...request.leftOut.map(({ reason, items }) => [reason, format.count(items)] as const),
              [text('dataRequests.notReached'), format.count(collected.notReached)],
              [text('dataRequests.collectedAt'), format.dateTime(collected.at)],
            ] as const)),
        ...(exported === null
          ? []
          : ([
              [
                text('dataRequests.packed'),
                text('dataRequests.packedText', {
                  items: format.count(exported.items),
                  by: exported.by,
                  at: format.dateTime(exported.at),
                }),
              ],
            ] as const)),
        ...(answer === null
          ? []
          : ([
              [text('dataRequests.how'), answer.how],
              [text('dataRequests.answeredOn'), words.day(answer.answeredOn)],
              [text('dataRequests.answeredBy'), answer.by],
            ] as const)),
        [text('dataRequests.registeredBy'), request.registeredBy],
        [text('dataRequests.registeredAt'), format.dateTime(request.registeredAt)],
      ]}
    />
  );
}
