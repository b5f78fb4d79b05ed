import {
  ArrowDownloadRegular,
  ArrowUndoRegular,
  BoxArrowUpRegular,
  DeleteRegular,
  DismissRegular,
  LockClosedRegular,
  SaveRegular,
} from '@fluentui/react-icons';
import { selections } from '@holdfast/contract/selections';
import type { Selection } from '@holdfast/contract/selections';
import type { SearchAnswer } from '@holdfast/contract/search';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useMay } from '../../api/portal-context.ts';
import { useChange, useDownload } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { CommandBar } from '../../ui/command-bar.tsx';
import type { Command } from '../../ui/command-bar.tsx';
import { ExportMenu } from '../../ui/export/export-menu.tsx';
import { Row } from '../../ui/layout.tsx';
import { DeleteMessagesForm } from '../deletions/index.ts';
import { ExportForm } from '../exports/index.ts';
import { useHitColumns } from './hit-columns.ts';
import { HoldFound } from './hold-found.tsx';
import { RecoveryForm } from '../restore/index.ts';
import { SaveSearchForm } from './save-search-form.tsx';
import { useSelectedRows } from './search.queries.ts';
import type { StartedSearch } from './search.queries.ts';
import type { Ticked } from '../../ui/use-ticked.ts';

interface FoundCommandsProps {
  readonly tenantId: string;
  readonly started: StartedSearch;
  readonly answer: SearchAnswer;
  readonly chosen: Ticked;
}

/** The ticked hits, or all of them, as they are asked for. */
function useWhich({ tenantId, started, answer, chosen }: FoundCommandsProps) {
  const which = chosen.ids.size === 0 ? ('all' as const) : ('chosen' as const);
  const { query, reason } = started;
  return {
    which,
    count: which === 'all' ? answer.total : chosen.ids.size,
    asked: { params: { tenantId }, body: { query, reason, ...(which === 'all' ? {} : { hitIds: [...chosen.ids] }) } },
  };
}

/** What can be done with the ticked hits, or with all of them: put back, fetched as files, listed, kept as a search. */
export function FoundCommands(props: FoundCommandsProps): ReactElement {
  const { tenantId, started, answer, chosen } = props;
  const text = useText();
  const [keeping, setKeeping] = useState<Keeping | null>(null);
  const { which, count, asked } = useWhich(props);
  const select = useChange(selections.select, { failure: 'failures.retrieve' });
  const columns = useHitColumns();
  const rowsOf = useSelectedRows(tenantId);
  const [restoring, setRestoring] = useState<Selection | null>(null);
  const [exporting, setExporting] = useState<Selection | null>(null);
  const [deleting, setDeleting] = useState<Selection | null>(null);
  const leaving = useLeaving(props, {
    restore: () => select.mutate(asked, { onSuccess: setRestoring }),
    hand: () => select.mutate(asked, { onSuccess: setExporting }),
    erase: () => select.mutate(asked, { onSuccess: setDeleting }),
  });
  const keep = useKeeping(which, setKeeping);
  const clear: Command = { id: 'clear', label: text('kit.clearSelection'), icon: <DismissRegular />, run: chosen.clear };
  return (
    <>
      <Row>
        <CommandBar commands={[...(count > 0 ? leaving : []), ...keep, ...(which === 'chosen' ? [clear] : [])]} />
        {count > 0 && (
          <ExportMenu
            name={text('search.selection.fileName')}
            columns={columns}
            total={count}
            rows={async (progress, signal) => rowsOf(await select.mutateAsync(asked), progress, signal)}
          />
        )}
      </Row>
      {keeping === 'search' && <SaveSearchForm tenantId={tenantId} saved={null} query={started.query} onClose={() => setKeeping(null)} />}
      {keeping === 'hits' && <HoldFound tenantId={tenantId} started={started} onClose={() => setKeeping(null)} />}
      {deleting !== null && <DeleteMessagesForm tenantId={tenantId} selection={deleting} onClose={() => setDeleting(null)} />}
      {exporting !== null && (
        <ExportForm
          tenantId={tenantId}
          source={{ kind: 'selection', selectionId: exporting.selectionId }}
          what={exporting.query === '' ? text('search.selection.fileName') : exporting.query}
          reason={started.reason}
          onClose={() => setExporting(null)}
        />
      )}
      {restoring !== null && (
        <RecoveryForm
          tenantId={tenantId}
          selection={restoring}
          locationId={answer.items[0]?.locationId ?? ''}
          reason={started.reason}
          onClose={() => setRestoring(null)}
        />
      )}
    </>
  );
}

/** What is kept: the search under a name, or what it finds on hold. */
type Keeping = 'search' | 'hits';

/** The commands that keep. A hold is on all that a search finds, also later: ticked hits have none. */
function useKeeping(which: 'all' | 'chosen', keep: (what: Keeping) => void): readonly Command[] {
  const text = useText();
  const maySave = useMay('search.save');
  const mayHold = useMay('deletion.manage');
  const save: Command = { id: 'save', label: text('search.saved.save'), icon: <SaveRegular />, run: () => keep('search') };
  const hold: Command = { id: 'hold', label: text('search.saved.hold'), icon: <LockClosedRegular />, run: () => keep('hits') };
  return maySave ? [...(mayHold && which === 'all' ? [hold] : []), save] : [];
}

/** The commands that put hits back, hand them out, or delete them from the archive. */
function useLeaving(
  props: FoundCommandsProps,
  { restore, hand, erase }: { readonly restore: () => void; readonly hand: () => void; readonly erase: () => void },
): readonly Command[] {
  const { tenantId } = props;
  const text = useText();
  const format = useFormat();
  const mayRestore = useMay('restore.run');
  const mayDelete = useMay('deletion.manage');
  const { which, count, asked } = useWhich(props);
  const select = useChange(selections.select, { failure: 'failures.retrieve' });
  const download = useDownload(selections.selectedFiles);
  const words = { count, items: format.count(count) };
  const files: Command = {
    id: 'download',
    label: text(`search.selection.download.${which}`, words),
    icon: <ArrowDownloadRegular />,
    isDisabled: select.isPending || download.isPending,
    run: () => select.mutate(asked, { onSuccess: ({ selectionId }) => download.mutate({ params: { tenantId, selectionId } }) }),
  };
  const back: Command = {
    id: 'restore',
    label: text(`search.selection.restore.${which}`, words),
    icon: <ArrowUndoRegular />,
    run: restore,
  };
  const out: Command = {
    id: 'export',
    label: text(which === 'all' ? 'exports.exportAll' : 'exports.exportChosen', words),
    icon: <BoxArrowUpRegular />,
    run: hand,
  };
  const gone: Command = {
    id: 'delete',
    label: text(which === 'all' ? 'deletions.deleteAll' : 'deletions.deleteChosen', words),
    icon: <DeleteRegular />,
    run: erase,
  };
  return [...(mayRestore ? [back] : []), files, out, ...(mayDelete ? [gone] : [])];
}
