import type { ReactElement } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { Page } from '../../ui/page.tsx';
import { FilesOf } from './files-page.tsx';

/** `/documents` */
export default function DocumentsPage(): ReactElement {
  const text = useText();
  return (
    <Page title={text('shell.documents')} lead={text('documents.lead')}>
      <FilesOf kind="document" />
    </Page>
  );
}
