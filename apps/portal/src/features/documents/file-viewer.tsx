import { Button, makeStyles, mergeClasses, Text, tokens } from '@fluentui/react-components';
import { documents } from '@holdfast/contract/documents';
import type { DocumentFile, DocumentPage } from '@holdfast/contract/documents';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { apiOf } from '../../api/query-client.ts';
import { ApiError } from '../../api/api-error.ts';
import { useText } from '../../i18n/use-text.ts';
import { DetailDrawer } from '../../ui/detail-drawer.tsx';
import { EmptyState, FailedState } from '../../ui/empty-state.tsx';
import { Row } from '../../ui/layout.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';

const useStyles = makeStyles({
  page: {
    width: '100%',
    height: 'auto',
    backgroundColor: 'white',
    border: `${tokens.strokeWidthThin} solid ${tokens.colorNeutralStroke2}`,
  },
  leaving: { opacity: 0.4 },
  forReaders: { position: 'absolute', width: '1px', height: '1px', overflow: 'hidden', clipPath: 'inset(50%)', whiteSpace: 'pre-line' },
});

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
      {found.data !== undefined && <Pages number={number} shown={found.data} isLeaving={found.isPlaceholderData} onNumber={setNumber} />}
    </DetailDrawer>
  );
}

interface PagesProps {
  readonly number: number;
  readonly shown: DocumentPage;
  /** The page before, until the one that was asked for is there. */
  readonly isLeaving: boolean;
  readonly onNumber: (number: number) => void;
}

function Pages({ number, shown, isLeaving, onNumber }: PagesProps): ReactElement {
  const text = useText();
  const styles = useStyles();
  const title = text('documents.pageOf', { number: String(number), count: String(shown.pages) });
  return (
    <>
      {shown.pages > 1 && (
        <Row>
          <Button disabledFocusable={number === 1} onClick={() => onNumber(number - 1)}>
            {text('documents.previousPage')}
          </Button>
          <Text role="status">{title}</Text>
          <Button disabledFocusable={number === shown.pages} onClick={() => onNumber(number + 1)}>
            {text('documents.nextPage')}
          </Button>
        </Row>
      )}
      <div aria-busy={isLeaving}>
        <img
          className={mergeClasses(styles.page, isLeaving && styles.leaving)}
          src={`data:image/webp;base64,${shown.picture}`}
          width={shown.width}
          height={shown.height}
          alt={title}
        />
        {!isLeaving && <div className={styles.forReaders}>{shown.words}</div>}
      </div>
    </>
  );
}
