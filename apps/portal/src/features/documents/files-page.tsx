import { Button, Tooltip } from '@fluentui/react-components';
import { ArrowDownloadRegular, DeleteRegular } from '@fluentui/react-icons';
import { documents } from '@holdfast/contract/documents';
import type { DocumentFile, DocumentType } from '@holdfast/contract/documents';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useChosenWorker, useMay } from '../../api/portal-context.ts';
import { read, useChange } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { CommandBar } from '../../ui/command-bar.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useColumnKinds } from '../../ui/data-table/column-kinds.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column, PageQuery } from '../../ui/data-table/types.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { useSave } from './documents.queries.ts';
import { FileViewer } from './file-viewer.tsx';
import { UploadDrawer } from './upload-drawer.tsx';

/** The PDF files of one kind: upload, view, download, delete. */
export function FilesOf({ kind }: { readonly kind: DocumentType }): ReactElement {
  const text = useText();
  const mayManage = useMay('documents.manage');
  const abbr = useChosenWorker()?.abbr ?? '';
  const [isUploading, setUploading] = useState(false);
  const [viewed, setViewed] = useState<DocumentFile | null>(null);
  const [leaving, setLeaving] = useState<DocumentFile | null>(null);
  const save = useSave();
  const remove = useChange(documents.remove, { success: 'successes.fileDeleted' });
  const columns = useColumns({ onSave: (row) => save.mutate(row), onDelete: mayManage ? setLeaving : undefined });
  const title = text(kind === 'report' ? 'shell.reportFiles' : 'shell.documents');
  const route = kind === 'report' ? documents.reports : documents.documents;
  const page = ({ filters: _none, ...query }: PageQuery) => read(route, { params: { abbr }, query: query as never, quiet: true });
  const command = { id: 'upload', label: text('documents.upload'), run: () => setUploading(true), isPrimary: true };
  return (
    <>
      <CommandBar commands={mayManage ? [command] : []} />
      <DataTable
        id={`files-${kind}`}
        label={title}
        columns={columns}
        source={{ kind: 'pages', page }}
        rowKey={(row) => row.fileName}
        rowName={(row) => row.fileName}
        onOpen={setViewed}
        empty={<EmptyState text={text(kind === 'report' ? 'documents.emptyReports' : 'documents.emptyDocuments')} />}
      />
      {viewed !== null && <FileViewer file={viewed} onSave={() => save.mutate(viewed)} onClose={() => setViewed(null)} />}
      {isUploading && <UploadDrawer kind={kind} abbr={abbr} onClose={() => setUploading(false)} />}
      {leaving !== null && (
        <ConfirmDialog
          title={text('confirmations.deleteDocumentTitle', { file: leaving.fileName })}
          text={text('confirmations.deleteDocumentText')}
          button={text('confirmations.deleteDocumentButton')}
          destructive
          busy={remove.isPending}
          onConfirm={() =>
            remove.mutate(
              { body: { fileName: leaving.fileName, abbr: leaving.abbr, documentType: leaving.documentType } },
              { onSettled: () => setLeaving(null) },
            )
          }
          onClose={() => setLeaving(null)}
        />
      )}
    </>
  );
}

interface RowActions {
  readonly onSave: (row: DocumentFile) => void;
  /** Missing for those who may not delete. */
  readonly onDelete: ((row: DocumentFile) => void) | undefined;
}

function useColumns({ onSave, onDelete }: RowActions): readonly Column<DocumentFile>[] {
  const text = useText();
  const { words, size, moment, actions } = useColumnKinds<DocumentFile>();
  const renderActions = (row: DocumentFile): ReactElement => (
    <>
      <Tooltip content={text('documents.download')} relationship="description">
        <Button
          appearance="subtle"
          icon={<ArrowDownloadRegular />}
          aria-label={text('documents.downloadNamed', { name: row.fileName })}
          onClick={() => onSave(row)}
        />
      </Tooltip>
      {onDelete !== undefined && (
        <Button
          appearance="subtle"
          icon={<DeleteRegular />}
          aria-label={text('documents.deleteNamed', { name: row.fileName })}
          onClick={() => onDelete(row)}
        />
      )}
    </>
  );
  return [
    words({ id: 'fileName', title: text('documents.fileName'), sort: 'fileName', width: 320 }, (row) => row.fileName),
    words({ id: 'abbr', title: text('documents.abbr'), width: 130 }, (row) => row.abbr),
    words({ id: 'type', title: text('common.type'), width: 120 }, (row) => text(`documents.${row.documentType}`)),
    moment({ id: 'uploadedAt', title: text('documents.uploadedAt'), sort: 'uploadedAt', width: 160 }, (row) => row.uploadedAt),
    size({ id: 'size', title: text('documents.size'), sort: 'size', width: 110 }, (row) => row.size),
    words({ id: 'uploadedBy', title: text('documents.uploadedBy'), sort: 'uploadedBy', width: 240 }, (row) => row.uploadedBy),
    actions(renderActions, 105),
  ];
}
