import { Button } from '@fluentui/react-components';
import { documents } from '@holdfast/contract/documents';
import type { DocumentFile } from '@holdfast/contract/documents';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { apiOf } from '../../api/query-client.ts';
import { ApiError } from '../../api/api-error.ts';
import { useText } from '../../i18n/use-text.ts';
import { DetailDrawer } from '../../ui/detail-drawer.tsx';
import { DrawnPages } from '../../ui/drawn-pages.tsx';
import { EmptyState, FailedState } from '../../ui/empty-state.tsx';
import { Row } from '../../ui/layout.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';

export interface FileViewerProps {
  readonly file: DocumentFile;
  readonly onSave: () => void;
  readonly onClose: () => void;
}

/** A PDF file, page by page: the server draws them, so that nothing of the file itself gets here. */
export function FileViewer({ file, onSave, onClose }: FileViewerProps): ReactElement {
  const text = useText();
  const queries = useQueryClient();
  const [number, setNumber] = useState(1);
  const { fileName, abbr, documentType, uploadedAt } = file;
  const found = useQuery({
    queryKey: ['document-page', abbr, documentType, fileName, uploadedAt, number],
    queryFn: () => apiOf(queries).send(documents.page, { params: { fileName, abbr, documentType, page: number }, quiet: true }),
    placeholderData: keepPreviousData,
    // Each showing is in the audit log: once is enough.
    staleTime: 'static',
    retry: false,
    meta: { quiet: true },
  });
  const cannot = found.error instanceof ApiError && found.error.code === 'documents.not-shown';
  return (
    <DetailDrawer title={fileName} isWide onClose={onClose}>
      <Row>
        <Button onClick={onSave}>{text('documents.download')}</Button>
      </Row>
      {found.isPending && <LoadingShape rows={8} />}
      {cannot && <EmptyState text={text('errors.documents.not-shown')} />}
      {found.error !== null && !cannot && <FailedState error={found.error} onRetry={() => void found.refetch()} />}
      {found.data !== undefined && (
        <DrawnPages number={number} shown={found.data} isLeaving={found.isPlaceholderData} onNumber={setNumber} />
      )}
    </DetailDrawer>
  );
}
