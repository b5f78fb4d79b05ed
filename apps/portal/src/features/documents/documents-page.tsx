import type { ReactElement } from 'react';
import { FilesPage } from './files-page.tsx';

/** `/documents` */
export default function DocumentsPage(): ReactElement {
  return <FilesPage kind="document" />;
}
