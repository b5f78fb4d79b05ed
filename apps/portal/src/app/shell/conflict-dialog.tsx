import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  Table,
  TableBody,
  TableCell,
  TableHeader,
  TableHeaderCell,
  TableRow,
  Text,
} from '@fluentui/react-components';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { conflictOf } from '../../api/query-client.ts';
import type { Conflict } from '../../api/query-client.ts';
import { useStore } from '../../api/store.ts';
import { useText } from '../../i18n/use-text.ts';
import { useReturnFocus } from '../../ui/use-return-focus.ts';

/** Somebody else saved in the meantime: both states beside each other, and the choice between them. */
export function ConflictDialog(): ReactElement | null {
  const store = conflictOf(useQueryClient());
  const conflict = useStore(store);
  if (conflict === null) return null;
  return <OpenConflict conflict={conflict} onClose={() => store.set(null)} />;
}

/** The fields in which the two states differ, as text. */
export function differences(yours: unknown, theirs: unknown): readonly { field: string; yours: string; theirs: string }[] {
  const left = flat(yours);
  const right = flat(theirs);
  return [...left.keys()]
    .map((field) => ({ field, yours: left.get(field) ?? '–', theirs: right.get(field) ?? '–' }))
    .filter((row) => row.yours !== row.theirs);
}

function flat(value: unknown, path = ''): Map<string, string> {
  if (typeof value !== 'object' || value === null) return new Map([[path, String(value)]]);
  return new Map(Object.entries(value).flatMap(([key, inner]) => [...flat(inner, path === '' ? key : `${path}.${key}`)]));
}

function OpenConflict({ conflict, onClose }: { readonly conflict: Conflict; readonly onClose: () => void }): ReactElement {
  useReturnFocus();
  const text = useText();
  const theirs = useQuery({ queryKey: ['conflict', conflict], queryFn: conflict.theirs, gcTime: 0 });
  return (
    <Dialog open modalType="alert" onOpenChange={(_event, { open }) => (open ? undefined : onClose())}>
      <DialogSurface>
        <DialogBody>
          <DialogTitle>{text('shell.conflictTitle')}</DialogTitle>
          <DialogContent>
            <Text block>{text('shell.conflictText')}</Text>
            <Table size="small">
              <TableHeader>
                <TableRow>
                  <TableHeaderCell>{text('common.name')}</TableHeaderCell>
                  <TableHeaderCell>{text('shell.conflictTheirs')}</TableHeaderCell>
                  <TableHeaderCell>{text('shell.conflictYours')}</TableHeaderCell>
                </TableRow>
              </TableHeader>
              <TableBody>
                {differences(conflict.yours, theirs.data).map((row) => (
                  <TableRow key={row.field}>
                    <TableCell>{row.field}</TableCell>
                    <TableCell>{row.theirs}</TableCell>
                    <TableCell>{row.yours}</TableCell>
                  </TableRow>
                ))}
              </TableBody>
            </Table>
          </DialogContent>
          <DialogActions>
            <Button appearance="primary" onClick={() => void conflict.reload().finally(onClose)}>
              {text('shell.conflictReload')}
            </Button>
            <Button onClick={() => void conflict.overwrite().finally(onClose)}>{text('shell.conflictOverwrite')}</Button>
          </DialogActions>
        </DialogBody>
      </DialogSurface>
    </Dialog>
  );
}
