import { Button, Subtitle2, Table, TableBody, TableCell, TableHeader, TableHeaderCell, TableRow } from '@fluentui/react-components';
import type { Preview } from '@holdfast/contract/content';
import type { ReactElement } from 'react';
import { useMay } from '../../api/portal-context.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { Row } from '../../ui/layout.tsx';
import type { ChosenVersion } from './choice.ts';

export interface VersionListProps {
  readonly versions: Preview['versions'];
  readonly onDownload: (part: { readonly version: string }) => void;
  /** Absent where nothing is restored. */
  readonly onVersion: ((version: ChosenVersion) => void) | undefined;
}

/** The versions of a file that are stored, newest first: each can be downloaded or put back. */
export function VersionList({ versions, onDownload, onVersion }: VersionListProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const mayRestore = useMay('restore.run');
  return (
    <>
      <Subtitle2 as="h3">{text('restore.versions')}</Subtitle2>
      <Table size="small" aria-label={text('restore.versions')}>
        <TableHeader>
          <TableRow>
            <TableHeaderCell>{text('restore.version')}</TableHeaderCell>
            <TableHeaderCell>{text('restore.modified')}</TableHeaderCell>
            <TableHeaderCell>{text('restore.size')}</TableHeaderCell>
            <TableHeaderCell>{text('common.actions')}</TableHeaderCell>
          </TableRow>
        </TableHeader>
        <TableBody>
          {versions.map((version) => (
            <TableRow key={version.label}>
              <TableCell>{version.label}</TableCell>
              <TableCell>{format.dateTime(version.at)}</TableCell>
              <TableCell>{format.bytes(version.sizeBytes)}</TableCell>
              <TableCell>
                <Row>
                  <Button
                    size="small"
                    aria-label={text('restore.downloadVersion', { version: version.label })}
                    onClick={() => onDownload({ version: version.label })}
                  >
                    {text('restore.targetDownload')}
                  </Button>
                  {mayRestore && onVersion !== undefined && (
                    <Button
                      size="small"
                      aria-label={text('restore.restoreVersion', { version: version.label })}
                      onClick={() => onVersion(version)}
                    >
                      {text('restore.restore')}
                    </Button>
                  )}
                </Row>
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </>
  );
}
