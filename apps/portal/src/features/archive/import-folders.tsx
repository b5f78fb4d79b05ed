import { Table, TableBody, TableCell, TableHeader, TableHeaderCell, TableRow, Text } from '@fluentui/react-components';
import type { ImportReport } from '@holdfast/contract/imports';
import type { ReactElement } from 'react';
import { useFormat, useText } from '../../i18n/use-text.ts';

const shown = 50;

/** The folders of looked-at files with what is in them, those with the most messages first. */
export function ImportFolders({ report }: { readonly report: ImportReport }): ReactElement | null {
  const text = useText();
  const format = useFormat();
  const others = Math.max(0, report.folders.length - shown) + report.otherFolders;
  if (report.folders.length === 0) return null;
  return (
    <>
      <Table size="small" aria-label={text('imports.folders')}>
        <TableHeader>
          <TableRow>
            <TableHeaderCell>{text('archive.folder')}</TableHeaderCell>
            <TableHeaderCell>{text('imports.messages')}</TableHeaderCell>
            <TableHeaderCell>{text('archive.size')}</TableHeaderCell>
            <TableHeaderCell>{text('imports.period')}</TableHeaderCell>
          </TableRow>
        </TableHeader>
        <TableBody>
          {report.folders.slice(0, shown).map(({ path, messages, bytes, oldestAt, newestAt }) => (
            <TableRow key={path}>
              <TableCell>{path === '' ? text('imports.noFolder') : path}</TableCell>
              <TableCell>{format.count(messages)}</TableCell>
              <TableCell>{format.bytes(bytes)}</TableCell>
              <TableCell>{text('imports.fromTo', { from: format.date(oldestAt), to: format.date(newestAt) })}</TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
      {others > 0 && <Text>{text('imports.otherFolders', { count: others })}</Text>}
    </>
  );
}
