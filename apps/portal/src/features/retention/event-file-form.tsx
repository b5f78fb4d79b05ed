import { Button, Field, Text } from '@fluentui/react-components';
import { retention, retentionEventsMost } from '@holdfast/contract/retention';
import { retentionEventKinds } from '@holdfast/contract/retention-terms';
import { useRef, useState } from 'react';
import type { FormEvent, ReactElement } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { useChange } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { DetailDrawer } from '../../ui/detail-drawer.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { faultText } from '../../ui/form.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { eventColumns, readEvents, unknownKind, type EventFile } from './event-file.ts';

/** A file of a megabyte has more lines than are recorded at once. */
const FILE_MOST = 1_000_000;
/** Lines with faults that are shown. */
const SHOWN = 10;

/** What is wrong with a file as a whole or with its lines; nothing for one that can be recorded. */
function useFaults(kinds: string): (file: EventFile) => readonly string[] {
  const text = useText();
  return ({ events, missing, faults }) => {
    if (missing.length > 0) return [text('retention.fileColumns', { columns: missing.join(', ') })];
    if (events.length + faults.length === 0) return [text('retention.fileEmpty')];
    if (events.length > retentionEventsMost) return [text('retention.fileTooLong')];
    const said = (fault: string): string =>
      fault === unknownKind ? text('retention.fileKind', { kinds }) : (faultText(fault, text) ?? '');
    return faults.map(({ line, fault }) => text('retention.fileLine', { line, fault: said(fault) }));
  };
}

/** Records the events of a csv file, all of them or none. */
export function EventFileForm({ tenantId, onClose }: { readonly tenantId: string; readonly onClose: () => void }): ReactElement {
  const text = useText();
  const kinds = retentionEventKinds.map((kind) => text(`retention.eventKinds.${kind}`)).join(', ');
  const faultsOf = useFaults(kinds);
  const input = useRef<HTMLInputElement>(null);
  const [name, setName] = useState('');
  const [file, setFile] = useState<EventFile | null>(null);
  const [faults, setFaults] = useState<readonly string[]>([]);
  const record = useChange(retention.recordEvents, { success: 'successes.retentionEventsRecorded' });

  async function choose(chosen: File | undefined): Promise<void> {
    if (chosen === undefined) return;
    setName(chosen.name);
    if (chosen.size > FILE_MOST) {
      setFile(null);
      setFaults([text('retention.fileTooLong')]);
      return;
    }
    const words = retentionEventKinds.flatMap((kind) => [[kind, kind] as const, [text(`retention.eventKinds.${kind}`), kind] as const]);
    const read = readEvents(await chosen.text(), new Map(words.map(([word, kind]) => [word.toLowerCase(), kind])));
    setFile(read);
    setFaults(faultsOf(read));
  }

  function send(event: FormEvent): void {
    event.preventDefault();
    if (file === null) setFaults([text('retention.fileNeeded')]);
    if (file === null || faults.length > 0) return;
    record.mutate(
      { params: { tenantId }, body: { events: [...file.events] } },
      { onSuccess: onClose, onError: (error) => setFaults([error instanceof ApiError ? error.message : text('errors.internal')]) },
    );
  }

  return (
    <DetailDrawer title={text('retention.fileTitle')} onClose={onClose}>
      <form noValidate aria-label={text('retention.fileTitle')} onSubmit={send}>
        <Stack>
          <Text>{text('retention.fileHint', { columns: eventColumns.join(', '), kinds })}</Text>
          <Field
            validationState={faults.length > 0 ? 'error' : 'none'}
            validationMessage={faults.length > 0 ? faults.slice(0, SHOWN).join(' ') : null}
          >
            <Row>
              <input
                ref={input}
                type="file"
                accept=".csv,text/csv"
                hidden
                aria-label={text('retention.fileChoose')}
                onChange={(event) => void choose(event.target.files?.[0])}
              />
              <Button onClick={() => input.current?.click()}>{text('retention.fileChoose')}</Button>
              {name !== '' && <Text weight="semibold">{name}</Text>}
            </Row>
          </Field>
          {file !== null && faults.length === 0 && <Text>{text('retention.fileFound', { count: file.events.length })}</Text>}
          <FormButtons isBusy={record.isPending} submit={text('retention.fileRecord')} onClose={onClose} />
        </Stack>
      </form>
    </DetailDrawer>
  );
}
