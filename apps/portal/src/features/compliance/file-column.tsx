import type { ReactElement } from 'react';
import { useText } from '../../i18n/use-text.ts';
import type { Column } from '../../ui/data-table/types.ts';
import { RouterLink } from '../../ui/router-link.tsx';
import { fileLink } from './report-choices.tsx';
import type { FilePlace } from './report-choices.tsx';

interface FileRow extends FilePlace {
  readonly siteName: string;
  readonly path: string;
}

/** Name, folder and site of a file; the name leads to it in the file manager. */
export function useFileColumns<Row extends FileRow>(sort: { readonly name?: string } = {}): readonly Column<Row>[] {
  const text = useText();
  const link = (row: Row): ReactElement => <RouterLink to={fileLink(row)}>{row.name}</RouterLink>;
  return [
    {
      id: 'name',
      title: text('common.name'),
      width: 260,
      value: (row) => row.name,
      render: link,
      ...(sort.name === undefined ? {} : { sort: sort.name }),
    },
    { id: 'path', title: text('compliance.path'), width: 220, value: (row) => row.path, render: (row) => row.path || '–' },
    { id: 'siteName', title: text('compliance.site'), width: 180, value: (row) => row.siteName, render: (row) => row.siteName },
  ];
}
