import type { ReactElement } from 'react';
import { FilesPage } from './files-page.tsx';

/** `/reports` */
export default function ReportFilesPage(): ReactElement {
  return <FilesPage kind="report" />;
}
