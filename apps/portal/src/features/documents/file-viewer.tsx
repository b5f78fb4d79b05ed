import { Button, makeStyles, Text, tokens } from '@fluentui/react-components';
import { documents } from '@holdfast/contract/documents';
import type { DocumentFile } from '@holdfast/contract/documents';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { apiOf } from '../../api/query-client.ts';
import { useText } from '../../i18n/use-text.ts';
import { DetailDrawer } from '../../ui/detail-drawer.tsx';
import { EmptyState, FailedState } from '../../ui/empty-state.tsx';
import { Row } from '../../ui/layout.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import type { OpenedPdf } from './open-pdf.ts';

const useStyles = makeStyles({
  page: {
    width: '100%',
    height: 'auto',
    backgroundColor: 'white',
    border: `${tokens.strokeWidthThin} solid ${tokens.colorNeutralStroke2}`,
  },
});

export interface FileViewerProps {
  readonly file: DocumentFile;
  readonly onSave: () => void;
  readonly onClose: () => void;
}

/** A PDF file in the page, drawn as pictures. */
export function FileViewer({ file, onSave, onClose }: FileViewerProps): ReactElement {
  const text = useText();
  const queries = useQueryClient();
  const { fileName, abbr, documentType, uploadedAt } = file;
  const found = useQuery({
    queryKey: ['document-file', abbr, documentType, fileName, uploadedAt],
    queryFn: async () =>
      (await apiOf(queries).download(documents.download, { params: { fileName, abbr, documentType }, quiet: true })).blob,
    gcTime: 0,
  });
  return (
    <DetailDrawer title={fileName} isWide onClose={onClose}>
      <Row>
        <Button onClick={onSave}>{text('documents.download')}</Button>
      </Row>
      {found.isPending && <LoadingShape rows={8} />}
      {found.error !== null && <FailedState error={found.error} onRetry={() => void found.refetch()} />}
      {found.data !== undefined && <Pages file={found.data} />}
    </DetailDrawer>
  );
}

/** The file once it is open; null for one that cannot be read here. */
function useOpened(file: Blob): OpenedPdf | null | undefined {
  const [opened, setOpened] = useState<OpenedPdf | null>();
  useEffect(() => {
    let isLeft = false;
    // What reads PDF files is large: it comes only where somebody opens one.
    const opening = import('./open-pdf.ts').then(({ openPdf }) => openPdf(file));
    opening.then(
      (pdf) => (isLeft ? undefined : setOpened(pdf)),
      () => (isLeft ? undefined : setOpened(null)),
    );
    return () => {
      isLeft = true;
      opening.then(
        (pdf) => pdf.close(),
        () => undefined,
      );
    };
  }, [file]);
  return opened;
}

function Pages({ file }: { readonly file: Blob }): ReactElement {
  const text = useText();
  const [number, setNumber] = useState(1);
  const pdf = useOpened(file);
  if (pdf === undefined) return <LoadingShape rows={8} />;
  if (pdf === null) return <EmptyState text={text('documents.viewFailed')} />;
  return (
    <>
      {pdf.pages > 1 && (
        <Row>
          <Button disabledFocusable={number === 1} onClick={() => setNumber(number - 1)}>
            {text('documents.previousPage')}
          </Button>
          <Text role="status">{text('documents.pageOf', { number: String(number), count: String(pdf.pages) })}</Text>
          <Button disabledFocusable={number === pdf.pages} onClick={() => setNumber(number + 1)}>
            {text('documents.nextPage')}
          </Button>
        </Row>
      )}
      {/* A canvas of its own for each page: one that is still being drawn would draw over the next. */}
      <PageOf key={number} pdf={pdf} number={number} />
    </>
  );
}

function PageOf({ pdf, number }: { readonly pdf: OpenedPdf; readonly number: number }): ReactElement {
  const text = useText();
  const styles = useStyles();
  const canvas = useRef<HTMLCanvasElement>(null);
  const [words, setWords] = useState<string | null>();
  useEffect(() => {
    if (canvas.current === null) return;
    pdf.draw(number, canvas.current).then(setWords, () => setWords(null));
  }, [pdf, number]);
  if (words === null) return <EmptyState text={text('documents.viewFailed')} />;
  // The words stand in the canvas for those who do not see it.
  return (
    <canvas ref={canvas} className={styles.page} data-drawn={words !== undefined}>
      {words}
    </canvas>
  );
}
