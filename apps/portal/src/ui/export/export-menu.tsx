import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  Menu,
  MenuDivider,
  MenuItem,
  MenuItemCheckbox,
  MenuList,
  MenuPopover,
  MenuTrigger,
  ProgressBar,
} from '@fluentui/react-components';
import { ArrowDownloadRegular } from '@fluentui/react-icons';
import { useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { usePortal } from '../../api/portal-context.ts';
import { saveFile } from '../../api/save-file.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import type { Column } from '../data-table/types.ts';
import { exportFile, outputTypeOf } from './export.ts';
import type { ExportRow } from './export.ts';

/** From here on an export shows how far it is, and can be cancelled. */
const manyRows = 5_000;

export interface ExportMenuProps<Row> {
  readonly name: string;
  readonly columns: readonly Column<Row>[];
  readonly total: number;
  readonly rows: (progress: (done: number) => void, signal: AbortSignal) => Promise<readonly Row[]>;
}

/** Every row that matches, in the chosen columns, as xlsx or csv. */
export function ExportMenu<Row>({ name, columns, total, rows }: ExportMenuProps<Row>): ReactElement {
  const text = useText();
  const { toasts } = usePortal();
  const [withTitles, setWithTitles] = useState(false);
  const [done, setDone] = useState<number | null>(null);
  const running = useRef<AbortController | null>(null);
  const handleExport = async (bookType: string): Promise<void> => {
    const abort = new AbortController();
    running.current = abort;
    setDone(0);
    try {
      const output = outputTypeOf(bookType, text);
      const all = await rows((count) => (abort.signal.aborted ? undefined : setDone(count)), abort.signal);
      const file = await exportFile(
        {
          name,
          output,
          rows: all.map((row) => rowOf(row, columns)),
          ...(withTitles ? { titles: columns.map((column) => column.title) } : {}),
        },
        text,
      );
      // Who has cancelled meanwhile gets no file.
      abort.signal.throwIfAborted();
      saveFile(file.blob, file.name);
    } catch (error) {
      // What can not be read has been told.
      if (!abort.signal.aborted && !(error instanceof ApiError))
        toasts.show('error', error instanceof Error ? error.message : text('kit.exportFailed'));
    } finally {
      if (!abort.signal.aborted) setDone(null);
    }
  };
  /** The page that is on its way may take long; nobody waits for it. */
  const handleCancel = (): void => {
    running.current?.abort();
    setDone(null);
  };
  return (
    <>
      <Menu
        checkedValues={{ titles: withTitles ? ['titles'] : [] }}
        onCheckedValueChange={(_event, { checkedItems }) => setWithTitles(checkedItems.length > 0)}
      >
        <MenuTrigger disableButtonEnhancement>
          <Button appearance="subtle" icon={<ArrowDownloadRegular />} disabledFocusable={total === 0}>
            {text('kit.export')}
          </Button>
        </MenuTrigger>
        <MenuPopover>
          <MenuList>
            <MenuItem onClick={() => void handleExport('xlsx')}>{text('kit.exportXlsx')}</MenuItem>
            <MenuItem onClick={() => void handleExport('csv')}>{text('kit.exportCsv')}</MenuItem>
            <MenuDivider />
            <MenuItemCheckbox name="titles" value="titles">
              {text('kit.includeTitles')}
            </MenuItemCheckbox>
          </MenuList>
        </MenuPopover>
      </Menu>
      {done !== null && total > manyRows && <Progress done={done} total={total} onCancel={handleCancel} />}
    </>
  );
}

function rowOf<Row>(row: Row, columns: readonly Column<Row>[]): ExportRow {
  return Object.fromEntries(columns.map((column) => [column.id, column.value(row)]));
}

function Progress({
  done,
  total,
  onCancel,
}: {
  readonly done: number;
  readonly total: number;
  readonly onCancel: () => void;
}): ReactElement {
  const text = useText();
  const format = useFormat();
  const label = text('kit.exporting', { done: format.count(done), total: format.count(total) });
  return (
    <Dialog open modalType="alert">
      <DialogSurface>
        <DialogBody>
          <DialogTitle>{text('kit.export')}</DialogTitle>
          <DialogContent>
            {label}
            <ProgressBar value={done} max={total} aria-label={label} />
          </DialogContent>
          <DialogActions>
            <Button onClick={onCancel}>{text('common.cancel')}</Button>
          </DialogActions>
        </DialogBody>
      </DialogSurface>
    </Dialog>
  );
}
